package org.terrace.cli.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The end of an analysis for want of memory, in words that say how it goes on. Stateless. */
public final class MemoryShortage {
  private static final long MEGABYTE = 1 << 20;

  private MemoryShortage() {}

  /**
   * The failure to end with.
   *
   * @param inputs what was analysed
   * @param doing what was done when the memory ended, such as {@code reading}
   * @param instead what could be analysed with this memory
   */
  public static TerraceException of(
      List<Path> inputs, String doing, String instead, OutOfMemoryError cause) {
    long megabytes = Runtime.getRuntime().maxMemory() / MEGABYTE;
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        String.format(
            Locale.ROOT,
            "%s: the memory of this process (%,d MB) ended while %s. All requests are kept until"
                + " they are analysed. Give it more memory (TERRACE_JAVA_OPTIONS=-Xmx%dm), or"
                + " analyse %s.",
            inputs,
            megabytes,
            doing,
            2 * megabytes,
            instead),
        cause);
  }
}
