package org.terrace.observation;

import java.io.IOException;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;

/** The columns of the servers table. */
final class ServerColumns extends TableColumns<Server> {
  private final Column.Text<Server> name = text("name", Server::name);
  private final Column.Text<Server> tier = text("tier", Server::tier);
  private final Column.Texts<Server> addresses = texts("addresses", Server::addresses);

  ServerColumns() {
    super("servers");
  }

  @Override
  protected Server row(ParquetRow row) throws IOException {
    return new Server(row.text(name, ""), row.text(tier, ""), row.texts(addresses));
  }
}
