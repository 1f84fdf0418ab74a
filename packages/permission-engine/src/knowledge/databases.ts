import type { CommandEntry } from "./CommandEntry.ts";

/** Database clients. What a statement does is not read: it may do anything there, and often run programs here. */
export const databases: ReadonlyArray<CommandEntry> = [
  {
    command: "psql | mysql | mariadb | cockroach sql | clickhouse-client | sqlcmd",
    risk: "remote-write",
    operands: "text*",
    flags:
      "-A -a -b -q -t -x -X -1 -w -W -l -n -s -B -N -E -v= -d= -D= -h= -p= -P= -U= -u= -F= -R= --host= --port= --username= --user= --dbname= --database= --no-psqlrc " +
      "--tuples-only --no-align --csv --list --password[=] --batch --skip-column-names --version",
    options: {
      "-c= --command= -e= --execute=": "code",
      "-f= --file=": "runs",
      "-o= --output= -L= --log-file= --tee=": "writes",
    },
    also: { connects: "the database" },
    isRunner: true,
    examples: {
      "psql -c 'select 1'": "ask remote-write execute:select 1 connect:the database",
      "psql -f a.sql app": "ask remote-write execute:a.sql connect:the database",
    },
  },
  {
    command: "sqlite3 | duckdb | litecli",
    risk: "remote-write",
    operands: "writes code*",
    edits: true,
    flags:
      "-readonly -json -csv -header -noheader -line -list -column -table -markdown -box -batch -bail -separator= -nullvalue= -version",
    options: { "-cmd=": "code", "-init=": "runs" },
    isRunner: true,
    examples: { "sqlite3 a.db .tables": "ask remote-write write:a.db read:a.db execute:.tables" },
  },
  {
    command: "redis-cli | valkey-cli | mongo | mongosh | cqlsh | influx",
    risk: "remote-write",
    operands: "code*",
    flags: "-h= -p= -n= -a= -u= --raw --no-auth-warning --user= --pass= --tls --quiet",
    options: { "--eval= --file= -f=": "runs" },
    also: { connects: "the database" },
    isRunner: true,
    examples: { "redis-cli FLUSHALL": "ask remote-write execute:FLUSHALL connect:the database" },
  },
  {
    command: "pg_dump | pg_dumpall | mysqldump | mongodump",
    risk: "read",
    operands: "text*",
    flags:
      "-a -c -C -s -x -O -v -F= -d= -h= -p= -U= -u= -t= -n= -j= -Z= --host= --port= --username= --schema-only --data-only --format= --table= --user= --databases --all-databases",
    options: { "-f= --file= -o= --out= -r= --result-file=": "writes" },
    also: { connects: "the database" },
    examples: { "pg_dump -f out.sql app": "ask local-write write:out.sql connect:the database" },
  },
  {
    command: "dropdb | createdb | dropuser | createuser | pg_restore | mongorestore | mysqladmin",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: "the database" },
    examples: { "dropdb app": "ask irreversible" },
  },
];
