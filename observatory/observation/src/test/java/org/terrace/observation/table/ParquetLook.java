package org.terrace.observation.table;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.MessageType;

/** A look into Parquet files for tests. */
public final class ParquetLook {
  private ParquetLook() {}

  /** The schema of a file that is written of a table. */
  public static MessageType schema(TableColumns<?> description) {
    return new ParquetTable<>(description).schema();
  }

  /** The columns of the first row group of a file. */
  public static List<ColumnChunkMetaData> firstColumns(Path file) throws IOException {
    try (FileChannel bytes = FileChannel.open(file)) {
      return new ParquetTableReader(bytes).rowGroups().getFirst().getColumns();
    }
  }
}
