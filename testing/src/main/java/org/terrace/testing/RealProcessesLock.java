package org.terrace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * A listener of JUnit's, found by itself wherever this module is on the path, that lets one class
 * of tests of real processes at a time have the machine: modules are built side by side, and such
 * classes would disturb each other. It holds the file that the system property {@value #PROPERTY}
 * names while a class runs; without that property it does nothing. The kernel gives the file back
 * when its holder ends, however it ends.
 *
 * <p>A class with the tag {@value #UNTIMED} takes no turn: it judges no elapsed time and waits with
 * patience, so that others may run beside it.
 *
 * <p>Source: docs/decisions/0262.
 */
@SuppressWarnings("exports") // JUnit is there where this is loaded, and only there.
public final class RealProcessesLock implements TestExecutionListener {
  /** The system property with the path of the file. */
  public static final String PROPERTY = "terrace.realProcessesLock";

  /** The tag of test classes that run beside any others. */
  public static final String UNTIMED = "untimed";

  private record Turn(TestIdentifier holder, FileChannel held) {}

  private @Nullable Turn turn;

  @Override
  public void executionStarted(TestIdentifier test) {
    String path = System.getProperty(PROPERTY, "");
    if (path.isEmpty() || turn != null || !isClass(test) || isUntimed(test)) {
      return;
    }
    try {
      Path file = Path.of(path).toAbsolutePath();
      Files.createDirectories(file.resolveSibling(""));
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel.lock();
      turn = new Turn(test, channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Turn ended = turn;
    if (ended == null || !ended.holder().equals(test)) {
      return;
    }
    turn = null;
    try {
      ended.held().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isClass(TestIdentifier test) {
    return test.isContainer() && test.getSource().orElse(null) instanceof ClassSource;
  }

  private static boolean isUntimed(TestIdentifier test) {
    return test.getTags().contains(TestTag.create(UNTIMED));
  }
}
