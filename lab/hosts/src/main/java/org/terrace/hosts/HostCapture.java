package org.terrace.hosts;

import java.nio.file.Path;
import org.terrace.capture.CaptureCounts;

/** A capture on a host. Thread-safe. */
public interface HostCapture extends AutoCloseable {
  /** The file on the host. */
  Path file();

  /** Ends the capture, and gives its final counts; may be called again. */
  CaptureCounts end();

  @Override
  default void close() {
    var _ = end();
  }
}
