package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.terrace.observation.table.Column;

/**
 * Reads requests from comma-separated values whose first line names the columns as the requests
 * table does, in any order. Columns of other names are passed over.
 */
final class RequestCsv {
  private RequestCsv() {}

  static RequestTable read(Path path, RequestColumns table) throws IOException {
    return CsvRows.read(path, rows -> read(rows, table));
  }

  private static RequestTable read(CsvRows rows, RequestColumns table) throws IOException {
    List<String> required =
        table.columns().stream().filter(Column::required).map(Column::name).toList();
    for (String name : required) {
      if (!rows.columns().contains(name)) {
        throw rows.wrong(
            "there is no column "
                + name
                + " among "
                + rows.columns()
                + "; expected at least "
                + required);
      }
    }
    RequestTable.Builder builder = new RequestTable.Builder();
    while (rows.next()) {
      builder.accept(table.request(rows));
    }
    return builder.build();
  }
}
