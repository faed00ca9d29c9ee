package org.terrace.recovery.log;

import java.nio.file.Path;

/**
 * The place and the size of a log.
 *
 * @param directory where its files are, and nothing else; made if it is missing
 * @param segmentBytes a file that is larger gets no more records, at least 1
 * @param retainedBytes while the files are larger together, the oldest are dropped, but never the
 *     last two
 */
public record RecoveryLogOptions(Path directory, long segmentBytes, long retainedBytes) {
  private static final long SEGMENT_BYTES = 16L << 20;
  private static final long RETAINED_BYTES = 512L << 20;

  /** Checks the ranges. */
  public RecoveryLogOptions {
    if (segmentBytes < 1 || retainedBytes < 1) {
      throw new IllegalArgumentException(
          "sizes of at least 1 byte are needed: %d, %d".formatted(segmentBytes, retainedBytes));
    }
  }

  /** Files of 16 MiB, 512 MiB together. */
  public static RecoveryLogOptions in(Path directory) {
    return new RecoveryLogOptions(directory, SEGMENT_BYTES, RETAINED_BYTES);
  }

  /** The same with other sizes. */
  public RecoveryLogOptions withSizes(long newSegmentBytes, long newRetainedBytes) {
    return new RecoveryLogOptions(directory, newSegmentBytes, newRetainedBytes);
  }
}
