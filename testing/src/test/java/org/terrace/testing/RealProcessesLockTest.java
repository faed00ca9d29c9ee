package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The holder of the file of {@link RealProcessesLock}, as classes that JUnit runs see it. */
class RealProcessesLockTest {
  private static Path file = Path.of("");
  private static boolean heldInside;

  @TempDir private Path folder;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("made").resolve("lock");
    System.setProperty(RealProcessesLock.PROPERTY, file.toString());
    heldInside = false;
  }

  @AfterEach
  void forgetTheFile() {
    System.clearProperty(RealProcessesLock.PROPERTY);
  }

  @Test
  void aClassHoldsItWhileItRunsAndNoLonger() {
    run(Timed.class);
    assertThat(heldInside).isTrue();
    assertThat(isHeld()).isFalse();
  }

  @Test
  void aNestedClassRunsUnderTheTurnOfTheOuterOne() {
    run(Outer.class);
    assertThat(heldInside).isTrue();
    assertThat(isHeld()).isFalse();
  }

  @Test
  void anUntimedClassTakesNoTurn() {
    run(Untimed.class);
    assertThat(heldInside).isFalse();
    assertThat(file).doesNotExist();
  }

  @Test
  void nobodyTakesTurnsWithoutAFile() {
    System.clearProperty(RealProcessesLock.PROPERTY);
    run(Timed.class);
    assertThat(heldInside).isFalse();
  }

  private static void run(Class<?> tests) {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(tests))
                .build());
  }

  private static boolean isHeld() {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.lock();
      return false;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false; // Nobody has made it.
    }
  }

  static final class Timed {
    @Test
    void look() {
      heldInside = isHeld();
    }
  }

  @Tag(RealProcessesLock.UNTIMED)
  static final class Untimed {
    @Test
    void look() {
      heldInside = isHeld();
    }
  }

  static final class Outer {
    @Test
    void look() {}

    @Nested
    final class Inner {
      @Test
      void look() {
        heldInside = isHeld();
      }
    }
  }
}
