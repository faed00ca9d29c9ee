package org.terrace.control.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.Keeper;
import org.terrace.testing.Await;

@Tag("real-processes")
@Tag("untimed")
class StartArchivesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  private Path jar() throws IOException {
    Path jar = folder.resolve("trained.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> type : List.of(TrainedMain.class, Training.class)) {
        String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
          Objects.requireNonNull(in).transferTo(out);
        }
        out.closeEntry();
      }
    }
    return jar;
  }

  private List<String> command(Path jar) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xlog:class+load:file=" + folder.resolve("classes"),
        "-cp",
        jar.toString(),
        TrainedMain.class.getName(),
        "{name}");
  }

  private static boolean await(BooleanSupplier condition) {
    return Await.until(PATIENCE, condition);
  }

  private static long files(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".jsa")).count();
    } catch (IOException e) {
      return 0;
    }
  }

  private boolean says(String replica, String words) {
    try {
      return Files.readString(folder.resolve("replicas").resolve(replica + ".log")).contains(words);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theFirstLaunchTrainsAReplicaAndTheNextLoadsWhatItLoaded() throws Exception {
    Path archives = folder.resolve("archives");
    CommandTemplate template = new CommandTemplate(command(jar()));
    try (LocalLauncher launcher =
        new LocalLauncher(
            folder.resolve("replicas"), "127.43.9.1", name -> template, Optional.of(archives))) {
      launcher.launch("shop", "shop-1", ended -> {});
      assertThat(await(() -> files(archives) == 1)).isTrue();
      assertThat(says("shop-training", "shop-training trains")).isTrue();
      assertThat(await(() -> says("shop-1", "shop-1 is ready"))).isTrue();
      Files.delete(folder.resolve("classes"));

      launcher.launch("shop", "shop-2", ended -> {});

      assertThat(await(() -> says("shop-2", "shop-2 is ready"))).isTrue();
      assertThat(Files.readAllLines(folder.resolve("classes")))
          .anyMatch(line -> line.matches(".*TrainedMain source: shared objects file.*"));
      assertThat(files(archives)).isEqualTo(1);
    }
  }

  @Test
  void aDirectoryThatOthersMayWriteToIsNotUsed() throws Exception {
    Path archives = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(archives, PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> words = List.of("java", "-cp", jar().toString(), TrainedMain.class.getName());
    StartArchives tried = new StartArchives(archives, Keeper.ofThisProcess());

    assertThat(tried.make(words, folder.resolve("log"))).isFalse();

    assertThat(files(archives)).isZero();
    assertThat(tried.with(words)).isEqualTo(words);
  }
}
