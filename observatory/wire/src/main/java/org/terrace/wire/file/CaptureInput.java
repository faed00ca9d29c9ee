package org.terrace.wire.file;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import org.terrace.wire.bytes.Bytes;
import org.tukaani.xz.XZInputStream;

/**
 * The bytes of a capture, unpacked if its first bytes (never its name) say that it is compressed.
 */
public final class CaptureInput {
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
  private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  private static final int MAGIC_BYTES_MAX = 6;
  private static final int UNPACK_BUFFER_BYTES = 64 << 10;
  private static final int XZ_MEMORY_KIB_MAX = 64 << 10;

  private CaptureInput() {}

  /**
   * The stream as it is, or unpacked when it is compressed by gzip, zstd or xz. Closing the result
   * closes the stream.
   */
  public static InputStream unpacked(InputStream input) throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(input, MAGIC_BYTES_MAX);
    byte[] first = peeked.readNBytes(MAGIC_BYTES_MAX);
    peeked.unread(first);
    if (startsWith(first, GZIP)) {
      return new GZIPInputStream(peeked, UNPACK_BUFFER_BYTES);
    }
    if (startsWith(first, ZSTD)) {
      return new ZstdInputStream(peeked);
    }
    if (startsWith(first, XZ)) {
      return new XZInputStream(peeked, XZ_MEMORY_KIB_MAX);
    }
    return peeked;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return Bytes.startsWith(bytes, 0, bytes.length, prefix);
  }
}
