package org.terrace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * A listener of JUnit's, found by itself wherever this module is on the path, that lets the tests
 * of real processes of one module at a time have the machine: modules are built side by side, and
 * such tests of two of them would disturb each other. It holds the file that the system property
 * {@value #PROPERTY} names, from before the first test until after the last; without that property
 * it does nothing. The kernel gives the file back when its holder ends, however it ends.
 *
 * <p>Source: docs/decisions/0262.
 */
@SuppressWarnings("exports") // JUnit is there where this is loaded, and only there.
public final class RealProcessesLock implements TestExecutionListener {
  /** The system property with the path of the file. */
  public static final String PROPERTY = "terrace.realProcessesLock";

  private @Nullable FileChannel held;

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    String path = System.getProperty(PROPERTY, "");
    if (path.isEmpty()) {
      return;
    }
    try {
      Path file = Path.of(path).toAbsolutePath();
      Files.createDirectories(file.resolveSibling(""));
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel.lock();
      held = channel;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    FileChannel channel = held;
    held = null;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
