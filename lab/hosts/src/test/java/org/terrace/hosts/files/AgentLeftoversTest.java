package org.terrace.hosts.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that are in a directory before the folder of an agent is made there. */
@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class AgentLeftoversTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path parent;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectory(parent.resolve("terrace-agent-1"));
  }

  private static void age(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
  }

  private void start() throws IOException {
    AgentFolder.in(parent).close();
  }

  /** Whoever may write to the directory could keep all agents from starting. */
  @Test
  void aPipeInPlaceOfALockIsPassedOver() throws Exception {
    Path pipe = folder.resolve("lock");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    CompletableFuture<Void> started =
        CompletableFuture.runAsync(
            () -> {
              try {
                start();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));

    assertThat(started).succeedsWithin(SOON);
    assertThat(pipe).exists();
  }

  @Test
  void aDeletionThatDidNotSucceedIsTakenUpAgain() throws IOException {
    Files.createFile(folder.resolve("lock"));
    Path stubborn = Files.writeString(folder.resolve("a"), "packets");
    AtomicBoolean refuses = new AtomicBoolean(true);
    AgentFolder.Deletion deletion =
        directory -> {
          try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
              if (file.equals(stubborn) && refuses.get()) {
                throw new IOException(file + ": it is busy");
              }
              Files.delete(file);
            }
          }
        };

    AgentFolder.in(parent, deletion).close();
    assertThat(stubborn).exists();
    refuses.set(false);
    AgentFolder.in(parent, deletion).close();

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void aFolderThatWasNeverLockedIsDeletedOnceNobodyCanBeMakingIt() throws IOException {
    Files.createFile(folder.resolve("lock.new"));
    start();
    assertThat(folder.resolve("lock.new")).exists();

    age(folder);
    start();

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void aFolderWithoutALockInWhichThereIsSomethingIsNoAgents() throws IOException {
    Path file = Files.writeString(folder.resolve("notes"), "mine");
    age(folder);

    start();

    assertThat(file).exists();
  }

  /** A process loses its locks on a file as soon as it closes that again. */
  @Test
  void aSecondFolderOfAProcessLeavesTheLockOfTheFirst() throws Exception {
    try (AgentFolder first = AgentFolder.in(parent);
        AgentFolder second = AgentFolder.in(parent)) {
      assertThat(second.path()).isNotEqualTo(first.path());
      assertThat(locksOf(first.path().resolve("lock"))).isEqualTo(1);
    }
  }

  private static long locksOf(Path file) throws IOException {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .filter(line -> line.contains(inode))
        .count();
  }
}
