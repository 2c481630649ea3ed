//! Checks that a hill has the schema that dicehill created. Everybody can write another one to a file: a view in place of a
//! table can have endlessly many rows, and a trigger or an expression in an index can take all memory.

use std::collections::BTreeSet;

use rusqlite::Connection;

/// What in the schema of a database is not as these migrations leave it; `None` if all of it is. Further ordinary tables are
/// permitted, because nothing reads them.
pub(super) fn first_alteration(
    database: &Connection,
    migrations: &[&str],
) -> rusqlite::Result<Option<String>> {
    let created = Connection::open_in_memory()?;
    migrations.iter().try_for_each(|migration| created.execute_batch(migration))?;
    let (expected, found) = (objects(&created)?, objects(database)?);
    let altered = expected.difference(&found).next();
    let altered = altered
        .map(|object| format!("its {} {:?} was altered or is missing", object.kind, object.name));
    let foreign = found.difference(&expected).find(|object| !object.is_harmless());
    let foreign =
        foreign.map(|object| format!("it has a foreign {} {:?}", object.kind, object.name));
    Ok(altered.or(foreign))
}

/// A row of `sqlite_schema`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SchemaObject {
    kind: String,
    name: String,
    table: String,
    /// Null for the indexes of constraints.
    sql: Option<String>,
}

impl SchemaObject {
    /// Whether it is an ordinary table, or the index of a constraint.
    fn is_harmless(&self) -> bool {
        match self.kind.as_str() {
            "table" => self.sql.as_ref().is_some_and(|sql| sql.starts_with("CREATE TABLE ")),
            "index" => self.sql.is_none(),
            _ => false,
        }
    }
}

fn objects(database: &Connection) -> rusqlite::Result<BTreeSet<SchemaObject>> {
    let mut rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let (kind, name, table, sql) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(SchemaObject { kind, name, table, sql })
    };
    rows.query_map([], object)?.collect()
}
