import type { CommandEntry } from "./CommandEntry.ts";

const buildFlags =
  "-v -x -n -a -i -race -msan -asan -cover -covermode= -coverpkg= -trimpath -tags= -p= -buildvcs[=] -mod= -buildmode= -work -pgo=";
const testFlags =
  "-count= -run= -skip= -bench= -benchmem -benchtime= -short -timeout= -json -parallel= -failfast -vet= -cpu= -shuffle= -list= -fuzztime= -fullpath -args[*] -test.v -test.run=";

/** Go. */
export const go: ReadonlyArray<CommandEntry> = [
  {
    command: "go build | go vet",
    risk: "local-write",
    operands: "targets*",
    flags: `${buildFlags} -json`,
    options: {
      "-o=": "writes",
      "-toolexec= -vettool= -overlay= -modfile= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler= -pkgdir= -C=":
        "unknown",
      "-fix": "local-write",
    },
    hasSingleDashNames: true,
    also: { writes: "." },
    isSafe: true,
    examples: {
      "go build ./...": "allow local-write write:. read:./...",
      "go build --race ./cmd/app": "allow",
      "go build -o /tmp/x ./...": "ask local-write",
      "go build -toolexec ./x ./...": "ask remote-write",
      "go build ../other": "ask",
    },
  },
  {
    command: "go test",
    risk: "local-write",
    operands: "targets*",
    flags: `${buildFlags} ${testFlags}`,
    options: {
      "-o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir=": "writes",
      "-exec= -toolexec= -vettool= -overlay= -modfile= -ldflags= -gcflags= -asmflags= -C= -fuzz=": "unknown",
      "-c": "local-write",
    },
    hasSingleDashNames: true,
    passesRest: true,
    also: { runs: "the project's tests", writes: "." },
    isSafe: true,
    unless: /^--?test\.(?!v$|run\b)/,
    examples: {
      "go test ./...": "allow local-write",
      "go test -run 'Test|Other' -count=1 -v ./...": "allow",
      "go test ./... -args -x": "allow",
      "go test ./... -args -test.cpuprofile=x": "ask",
      "go test ./... -args /x": "ask",
      "go test -exec ./x ./...": "ask remote-write",
      "go test -coverprofile=c.out ./...": "ask local-write",
      "go test /tmp/x": "ask",
    },
  },
  {
    command: "go version | go doc",
    risk: "read",
    operands: "text*",
    flags: "-all -src -short -u -m -c -cmd",
    isSafe: true,
    examples: { "go version": "allow read", "go doc -all fmt": "allow", "go doc -http": "ask" },
  },
  {
    command: "go env",
    risk: "read",
    operands: "text*",
    flags: "-json -changed",
    options: { "-w -u": "irreversible" },
    isSafe: true,
    examples: { "go env GOPATH": "allow read", "go env -w X=1": "ask irreversible" },
  },
  {
    command: "go list | go mod graph | go mod verify | go mod why",
    risk: "read",
    operands: "targets*",
    flags: "-m -json[=] -deps -test -e -f= -versions -u -vendor -compiled-no -find -tags=",
    options: { "-toolexec= -overlay= -modfile= -export -compiled -C=": "unknown" },
    isSafe: true,
    examples: { "go list -m all": "allow read", "go list -toolexec=./x ./...": "ask remote-write" },
  },
  {
    command: "go run | go generate | go tool | go install | go get | go work | go telemetry | go bug | go",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    isRunner: true,
    examples: { "go run ./cmd/x": "ask remote-write execute:./cmd/x", "go install x@latest": "ask remote-write" },
  },
  {
    command: "go mod tidy | go mod download | go mod vendor | go mod init | go mod edit | go fmt | go fix | go clean",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    options: { "-modfile= -overlay=": "unknown" },
    also: { writes: "." },
    examples: { "go mod tidy": "ask local-write write:.", "go fmt ./...": "ask local-write write:." },
  },
  {
    command: "gofmt | goimports | gofumpt",
    risk: "read",
    operands: "reads*",
    flags: "-l -d -s -e -r= -local=",
    when: { "-w": { operands: "writes*", risk: "local-write" } },
    options: { "-cpuprofile=": "writes" },
    isSafe: true,
    examples: { "gofmt -l src": "allow read read:src", "gofmt -w a.go": "ask local-write write:a.go" },
  },
  {
    command: "golangci-lint | staticcheck | govulncheck | dlv | air | goreleaser | gotestsum",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    also: { runs: "the project's code and settings", writes: "." },
    examples: { "golangci-lint run": "ask remote-write" },
  },
];
