package org.terrace.recovery.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;

/** The lock of a log as another process sees it. */
@Tag("real-processes")
@Tag("untimed")
class DirectoryLockTest {
  @TempDir Path folder;
  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createDirectory(folder.resolve("log"));
  }

  @Test
  void whoLooksWithinTheProcessDoesNotTakeItsLockAway() throws Exception {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      assertThat(log.lastIndex()).isZero();
      assertThat(RecoveryLog.isInUse(directory)).isTrue();
      Path other = Files.createSymbolicLink(folder.resolve("other"), directory);
      assertThatThrownBy(() -> RecoveryLog.open(RecoveryLogOptions.in(other), 0))
          .hasMessageContaining("in use");

      assertThat(isInUseElsewhere()).isTrue();
    }
    assertThat(isInUseElsewhere()).isFalse();
  }

  @Test
  void norDoesCodeOfAnotherClassLoader() throws Exception {
    try (RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(directory), 0);
        URLClassLoader loader = new ApartLoader()) {
      assertThat(log.lastIndex()).isZero();
      Class<?> apart = loader.loadClass(RecoveryLog.class.getName());
      assertThat(apart).isNotSameAs(RecoveryLog.class);
      Method isInUse = apart.getMethod("isInUse", Path.class);
      assertThat(isInUse.invoke(null, directory)).isEqualTo(true);
      assertThat(isInUse.invoke(null, directory)).isEqualTo(true);

      assertThat(isInUseElsewhere()).isTrue();
    }
    assertThat(isInUseElsewhere()).isFalse();
  }

  /** A loader of the log's classes that its parent also has. */
  private static final class ApartLoader extends URLClassLoader {
    ApartLoader() {
      super(new URL[] {RecoveryLog.class.getProtectionDomain().getCodeSource().getLocation()});
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("org.terrace.recovery.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  private boolean isInUseElsewhere() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(JavaCommand.small(List.of(), LogLookMain.class, directory.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return Boolean.parseBoolean(said.strip());
  }
}
