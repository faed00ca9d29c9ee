package org.terrace.observation.table;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compression of Parquet pages: Terrace writes Zstandard, and reads what pandas, DuckDB and
 * ClickHouse write by default as well. Confined to one thread.
 */
final class ParquetCodec implements BytesInputCompressor {
  /** A page larger than this when unpacked is taken for damage: 256 MiB. */
  static final int MAXIMUM_PAGE_BYTES = 256 << 20;

  private static final int ZSTD_LEVEL = 3;

  @Override
  public BytesInput compress(BytesInput bytes) throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream(Math.toIntExact(bytes.size()));
    bytes.writeAllTo(plain);
    return BytesInput.from(Zstd.compress(plain.toByteArray(), ZSTD_LEVEL));
  }

  @Override
  public CompressionCodecName getCodecName() {
    return CompressionCodecName.ZSTD;
  }

  @Override
  public void release() {}

  /** Unpacks a page that is {@code length} bytes long when unpacked. */
  static byte[] decompress(CompressionCodecName codec, byte[] packed, int length)
      throws IOException {
    if (length < 0 || length > MAXIMUM_PAGE_BYTES) {
      throw new IOException("a page claims to hold " + length + " bytes");
    }
    byte[] unpacked = new byte[length];
    long got =
        switch (codec) {
          case UNCOMPRESSED -> copy(packed, unpacked);
          case ZSTD -> Zstd.decompressByteArray(unpacked, 0, length, packed, 0, packed.length);
          case SNAPPY ->
              new SnappyDecompressor().decompress(packed, 0, packed.length, unpacked, 0, length);
          case GZIP -> gunzip(packed, unpacked);
          case LZO, BROTLI, LZ4, LZ4_RAW ->
              throw new IOException(
                  "it is compressed with " + codec + "; Terrace reads zstd, snappy and gzip");
        };
    if (got != length) {
      throw new IOException("a page holds " + got + " bytes where it claims " + length);
    }
    return unpacked;
  }

  private static int copy(byte[] packed, byte[] unpacked) {
    int length = Math.min(packed.length, unpacked.length);
    System.arraycopy(packed, 0, unpacked, 0, length);
    return packed.length;
  }

  private static int gunzip(byte[] packed, byte[] unpacked) throws IOException {
    try (GZIPInputStream input = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return input.readNBytes(unpacked, 0, unpacked.length);
    }
  }
}
