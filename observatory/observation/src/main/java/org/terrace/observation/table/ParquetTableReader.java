package org.terrace.observation.table;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;

/**
 * Reads the columns of a Parquet file, one row group after the other: one row group's compressed
 * columns are in memory at a time. Confined to one thread.
 */
final class ParquetTableReader {
  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

  /** The footer's length and the magic number behind it. */
  private static final int TAIL_BYTES = Integer.BYTES + 4;

  /** A footer larger than this is taken for damage: 64 MiB. */
  private static final int MAXIMUM_FOOTER_BYTES = 64 << 20;

  private final SeekableByteChannel bytes;
  private final ParquetMetadata metadata;

  /** Reads the footer; the bytes stay the caller's to close. */
  ParquetTableReader(SeekableByteChannel bytes) throws IOException {
    this.bytes = bytes;
    this.metadata = readMetadata();
  }

  /** The columns of the file. */
  MessageType schema() {
    return metadata.getFileMetaData().getSchema();
  }

  /** The row groups, in the order of the file. */
  List<BlockMetaData> rowGroups() {
    return metadata.getBlocks();
  }

  /** One row group's readers, in the order of the given columns; each stands at its first value. */
  List<ColumnReader> open(BlockMetaData rowGroup, List<ColumnDescriptor> columns) {
    ColumnReadStoreImpl store =
        new ColumnReadStoreImpl(
            new RowGroup(rowGroup),
            new NoConversion(),
            schema(),
            metadata.getFileMetaData().getCreatedBy());
    return columns.stream().map(store::getColumnReader).toList();
  }

  private ParquetMetadata readMetadata() throws IOException {
    long size = bytes.size();
    if (size < MAGIC.length + TAIL_BYTES) {
      throw new IOException("it is only " + size + " bytes long");
    }
    byte[] tail = read(size - TAIL_BYTES, TAIL_BYTES);
    if (!Arrays.equals(MAGIC, Arrays.copyOfRange(tail, Integer.BYTES, TAIL_BYTES))) {
      throw new IOException("it does not end as a Parquet file does; it may be cut off");
    }
    int length = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length <= 0 || length > Math.min(MAXIMUM_FOOTER_BYTES, size - TAIL_BYTES)) {
      throw new IOException("its footer claims to be " + length + " bytes long");
    }
    byte[] footer = read(size - TAIL_BYTES - length, length);
    // Not by the converter's own reading, which fails in the version that Spark has (1.17.0).
    return new ParquetMetadataConverter()
        .fromParquetMetadata(Util.readFileMetaData(new ByteArrayInputStream(footer)));
  }

  private byte[] read(long position, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    bytes.position(position);
    while (buffer.hasRemaining()) {
      if (bytes.read(buffer) < 0) {
        throw new IOException("it ends within a column");
      }
    }
    return buffer.array();
  }

  private ParquetPages pagesOf(ColumnDescriptor column, ColumnChunkMetaData chunk)
      throws IOException {
    long size = chunk.getTotalSize();
    if (size < 0 || size > bytes.size() - chunk.getStartingPos() || size > Integer.MAX_VALUE) {
      throw new IOException("column " + chunk.getPath() + " claims to be " + size + " bytes long");
    }
    return ParquetPages.read(column, chunk, read(chunk.getStartingPos(), (int) size));
  }

  /** The pages of one row group, read column by column as they are asked for. */
  private final class RowGroup implements PageReadStore {
    private final BlockMetaData block;

    RowGroup(BlockMetaData block) {
      this.block = block;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
      Optional<ColumnChunkMetaData> chunk =
          block.getColumns().stream()
              .filter(candidate -> Arrays.equals(candidate.getPath().toArray(), column.getPath()))
              .findFirst();
      try {
        return pagesOf(
            column, chunk.orElseThrow(() -> new IOException("a row group lacks " + column)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public long getRowCount() {
      return block.getRowCount();
    }
  }

  /** Columns are read as they are, so nothing is converted. */
  private static final class NoConversion extends GroupConverter {
    @Override
    public Converter getConverter(int fieldIndex) {
      return new PrimitiveConverter() {
        @Override
        public GroupConverter asGroupConverter() {
          return NoConversion.this;
        }
      };
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
  }
}
