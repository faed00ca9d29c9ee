package org.terrace.evidence.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A file of the kernel that is read again and again: it stays open, and each reading begins at its
 * start. Confined to one thread.
 */
final class OpenKernelFile implements AutoCloseable {
  /** The most bytes of a file that are read: /proc/stat of a host with a thousand processors. */
  private static final int MOST = 1 << 18;

  private static final int FIRST = 1 << 12;

  private final RandomAccessFile file;
  private byte[] bytes = new byte[FIRST];

  OpenKernelFile(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
  }

  /** The present text of the file, which the next reading overwrites. */
  KernelText read() throws IOException {
    file.seek(0);
    int length = 0;
    int read = file.read(bytes, 0, bytes.length);
    while (read > 0) {
      length += read;
      if (length == bytes.length) {
        if (length >= MOST) {
          break;
        }
        byte[] larger = new byte[bytes.length * 2];
        System.arraycopy(bytes, 0, larger, 0, length);
        bytes = larger;
      }
      read = file.read(bytes, length, bytes.length - length);
    }
    return new KernelText(bytes, length);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
