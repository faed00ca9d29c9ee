package org.terrace.observation.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Writes a Parquet file row by row with bounded memory: strings as dictionaries, integers as
 * differences, all of it packed with Zstandard. The file appears when {@link #commit()} returns.
 * Confined to one thread.
 */
final class ParquetTableWriter implements AutoCloseable {
  /** Rows of a row group: what is held in memory before it goes to disk. */
  private static final int ROW_GROUP_ROWS = 1 << 18;

  private static final long ROW_GROUP_BYTES = 128L << 20;
  private static final int PAGE_INDEX_BYTES = 64;
  private static final int NO_PADDING = 0;

  /** Each page carries a checksum, by which its reader tells damage from data. */
  private static final boolean WITH_CHECKSUMS = true;

  private final AtomicFile file;
  private final MessageType schema;
  private final ParquetProperties properties;
  private final ParquetFileWriter output;
  private final List<ColumnWriter> columns = new ArrayList<>();
  private ColumnChunkPageWriteStore pages;
  private ColumnWriteStore store;
  private int rowsInGroup;

  ParquetTableWriter(Path path, MessageType schema) throws IOException {
    this.schema = schema;
    this.properties = properties(schema);
    this.file = new AtomicFile(path);
    this.output =
        new ParquetFileWriter(
            new LocalOutputFile(file.temporary()),
            schema,
            ParquetFileWriter.Mode.OVERWRITE,
            ROW_GROUP_BYTES,
            NO_PADDING,
            PAGE_INDEX_BYTES,
            PAGE_INDEX_BYTES,
            WITH_CHECKSUMS);
    output.start();
    pages = newPages();
    store = newStore();
  }

  /** The columns to write the next row's values to, in the order of the schema's leaves. */
  List<ColumnWriter> columns() {
    return columns;
  }

  /** Ends a row to which every column has got its values. */
  void endRow() throws IOException {
    store.endRecord();
    if (++rowsInGroup == ROW_GROUP_ROWS) {
      flush();
      pages = newPages();
      store = newStore();
    }
  }

  /** Completes the file and gives it its name. */
  void commit() throws IOException {
    flush();
    output.end(Map.of());
    file.commit();
  }

  @Override
  public void close() throws IOException {
    try {
      store.close();
      pages.close();
      output.close();
    } finally {
      file.close();
    }
  }

  private void flush() throws IOException {
    if (rowsInGroup == 0) {
      return;
    }
    output.startBlock(rowsInGroup);
    store.flush();
    pages.flushToFileWriter(output);
    output.endBlock();
    rowsInGroup = 0;
    store.close();
    pages.close();
  }

  private ColumnChunkPageWriteStore newPages() {
    return new ColumnChunkPageWriteStore(
        new ParquetCodec(), schema, properties.getAllocator(), PAGE_INDEX_BYTES, WITH_CHECKSUMS);
  }

  private ColumnWriteStore newStore() {
    ColumnWriteStore created = properties.newColumnWriteStore(schema, pages, pages);
    columns.clear();
    for (ColumnDescriptor column : schema.getColumns()) {
      columns.add(created.getColumnWriter(column));
    }
    return created;
  }

  private static ParquetProperties properties(MessageType schema) {
    ParquetProperties.Builder builder =
        ParquetProperties.builder()
            .withWriterVersion(WriterVersion.PARQUET_2_0)
            .withAllocator(HeapByteBufferAllocator.getInstance())
            .withDictionaryEncoding(false);
    for (ColumnDescriptor column : schema.getColumns()) {
      if (column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BINARY) {
        builder.withDictionaryEncoding(String.join(".", column.getPath()), true);
      }
    }
    return builder.build();
  }
}
