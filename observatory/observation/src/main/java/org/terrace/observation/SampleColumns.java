package org.terrace.observation;

import java.io.IOException;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;

/** The columns of the samples table. */
final class SampleColumns extends TableColumns<Sample> {
  private final Column.Text<Sample> node = text("node", Sample::node);
  private final Column.Text<Sample> resource = text("resource", Sample::resource);
  private final Column.Whole<Sample> time = whole("timeNanos", Sample::timeNanos);
  private final Column.Decimal<Sample> value = decimal("value", Sample::value);

  SampleColumns() {
    super("samples");
  }

  @Override
  protected Sample row(ParquetRow row) throws IOException {
    return new Sample(
        row.text(node, ""), row.text(resource, ""), row.whole(time, 0), row.decimal(value, 0));
  }
}
