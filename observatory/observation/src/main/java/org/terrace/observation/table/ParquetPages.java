package org.terrace.observation.table;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** The pages of one column of one row group, each unpacked when it is its turn. */
final class ParquetPages implements PageReader {
  private final CompressionCodecName codec;
  private final Statistics<?> noStatistics;
  private final long valueCount;
  private final Queue<Page> pages = new ArrayDeque<>();
  private @Nullable DictionaryPage dictionary;

  private record Page(PageHeader header, byte[] body) {}

  private ParquetPages(ColumnDescriptor column, ColumnChunkMetaData chunk) {
    this.codec = chunk.getCodec();
    this.valueCount = chunk.getValueCount();
    this.noStatistics = Statistics.getBuilderForReading(column.getPrimitiveType()).build();
  }

  /** Splits the bytes of a column into its pages. */
  static ParquetPages read(ColumnDescriptor column, ColumnChunkMetaData chunk, byte[] bytes)
      throws IOException {
    ParquetPages result = new ParquetPages(column, chunk);
    ByteArrayInputStream input = new ByteArrayInputStream(bytes);
    long values = 0;
    while (values < result.valueCount) {
      PageHeader header = Util.readPageHeader(input);
      int length = header.getCompressed_page_size();
      if (length < 0 || length > input.available()) {
        throw new IOException("a page of column " + chunk.getPath() + " is cut off");
      }
      byte[] body = input.readNBytes(length);
      check(header, body, chunk);
      if (header.getType() == PageType.DICTIONARY_PAGE) {
        result.dictionary = result.dictionaryOf(header, body);
      } else if (header.getType() == PageType.DATA_PAGE) {
        values += present(header.getData_page_header()).getNum_values();
        result.pages.add(new Page(header, body));
      } else if (header.getType() == PageType.DATA_PAGE_V2) {
        values += present(header.getData_page_header_v2()).getNum_values();
        result.pages.add(new Page(header, body));
      }
    }
    return result;
  }

  /**
   * Checks a page against the checksum that its writer put beside it, as Terrace does; without one,
   * damage that can be unpacked goes unseen.
   */
  private static void check(PageHeader header, byte[] body, ColumnChunkMetaData chunk)
      throws IOException {
    if (!header.isSetCrc()) {
      return;
    }
    CRC32 checksum = new CRC32();
    checksum.update(body);
    if ((int) checksum.getValue() != header.getCrc()) {
      throw new IOException(
          "a page of column " + chunk.getPath() + " is damaged: its checksum does not fit");
    }
  }

  @Override
  @SuppressWarnings("NullAway") // the library's contract: null when there is no dictionary
  public DictionaryPage readDictionaryPage() {
    return dictionary;
  }

  @Override
  public long getTotalValueCount() {
    return valueCount;
  }

  @Override
  @SuppressWarnings("NullAway") // the library's contract: null after the last page
  public DataPage readPage() {
    Page page = pages.poll();
    if (page == null) {
      return null;
    }
    try {
      return page.header.isSetData_page_header() ? versionOne(page) : versionTwo(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DictionaryPage dictionaryOf(PageHeader header, byte[] body) throws IOException {
    byte[] unpacked = ParquetCodec.decompress(codec, body, header.getUncompressed_page_size());
    DictionaryPageHeader dictionaryHeader = present(header.getDictionary_page_header());
    return new DictionaryPage(
        BytesInput.from(unpacked),
        dictionaryHeader.getNum_values(),
        encoding(dictionaryHeader.getEncoding()));
  }

  private DataPage versionOne(Page page) throws IOException {
    DataPageHeader header = present(page.header.getData_page_header());
    byte[] unpacked =
        ParquetCodec.decompress(codec, page.body, page.header.getUncompressed_page_size());
    return new DataPageV1(
        BytesInput.from(unpacked),
        header.getNum_values(),
        unpacked.length,
        noStatistics,
        encoding(header.getRepetition_level_encoding()),
        encoding(header.getDefinition_level_encoding()),
        encoding(header.getEncoding()));
  }

  private DataPage versionTwo(Page page) throws IOException {
    DataPageHeaderV2 header = present(page.header.getData_page_header_v2());
    int repetition = header.getRepetition_levels_byte_length();
    int definition = header.getDefinition_levels_byte_length();
    int levels = repetition + definition;
    if (repetition < 0 || definition < 0 || levels < 0 || levels > page.body.length) {
      throw new IOException("the levels of a page are cut off");
    }
    byte[] packed = Arrays.copyOfRange(page.body, levels, page.body.length);
    int length = page.header.getUncompressed_page_size() - levels;
    byte[] data = header.isIs_compressed() ? unpack(packed, length) : packed;
    return DataPageV2.uncompressed(
        header.getNum_rows(),
        header.getNum_nulls(),
        header.getNum_values(),
        BytesInput.from(page.body, 0, repetition),
        BytesInput.from(page.body, repetition, definition),
        encoding(header.getEncoding()),
        BytesInput.from(data),
        noStatistics);
  }

  private byte[] unpack(byte[] packed, int length) throws IOException {
    return packed.length == 0 ? packed : ParquetCodec.decompress(codec, packed, length);
  }

  private static Encoding encoding(org.apache.parquet.format.@Nullable Encoding encoding)
      throws IOException {
    return Encoding.valueOf(present(encoding).name());
  }

  /** A part that the header of a page must have, and that a damaged one may lack. */
  private static <T> T present(@Nullable T part) throws IOException {
    if (part == null) {
      throw new IOException("the header of a page is incomplete");
    }
    return part;
  }
}
