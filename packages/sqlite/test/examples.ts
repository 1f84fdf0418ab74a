// What the examples in docstrings name.
import * as Client from "effect/sql/SqlClient";

export const SqlClient = Client.SqlClient;
