package org.terrace.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.FileTree;
import org.terrace.experiment.Trial;
import org.terrace.specification.Keep;

class MeshFolderTest {
  private static final Keep ALL = new Keep(Keep.Packets.ALL, true, Long.MAX_VALUE);

  @TempDir Path directory;

  /** A trial as it is while it runs, with a capture and a table. */
  private static Path run(MeshFolder folder, String key) throws IOException {
    Path place = folder.begin(key);
    Files.writeString(place.resolve(Trial.CAPTURE_FILE), "p".repeat(5_000));
    Files.writeString(place.resolve("requests.parquet"), "t".repeat(2_000));
    Files.createDirectories(place.resolve("logs"));
    Files.writeString(place.resolve("logs/app1.log"), "why it died");
    return place;
  }

  @Test
  void aTrialHasItsNameOnceItIsWholeAndAKilledOneIsRemoved() throws IOException {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      Path place = run(folder, SmallMesh.key(1));
      assertThat(folder.trial(SmallMesh.key(1))).doesNotExist();
      folder.finish(SmallMesh.key(1), SmallMesh.done(0), ALL);
      assertThat(place).doesNotExist();
      run(folder, SmallMesh.key(2));
    }
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      assertThat(folder.removeUnfinished()).isFalse();
      assertThat(MeshFolder.row(directory, SmallMesh.key(1))).contains(SmallMesh.done(0));
      assertThat(MeshFolder.row(directory, SmallMesh.key(2))).isEmpty();
      assertThat(folder.others(Set.of(SmallMesh.key(2)))).containsExactly(SmallMesh.key(1));
    }
  }

  /** A trial that has its row is whole, wherever its folder was on the way to its name. */
  @Test
  void aTrialThatIsKilledWhileItGetsItsNameIsNotLost() throws IOException {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      for (int number = 1; number <= 3; number++) {
        folder.begin(SmallMesh.key(number));
        folder.finish(SmallMesh.key(number), SmallMesh.failed(number - 1), ALL);
        MeshFile.writeRow(run(folder, SmallMesh.key(number)), SmallMesh.done(number - 1));
      }
      FileTree.delete(folder.trial(SmallMesh.key(2)));
      Files.delete(folder.trial(SmallMesh.key(3)).resolve(MeshFile.ROW));
    }
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      for (int number = 1; number <= 3; number++) {
        assertThat(MeshFolder.row(directory, SmallMesh.key(number)))
            .contains(SmallMesh.done(number - 1));
        assertThat(folder.trial(SmallMesh.key(number)).resolve("logs/app1.log")).exists();
      }
    }
  }

  @Test
  void theLogsOfEveryAttemptStay() throws IOException {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      String key = SmallMesh.key(2);
      run(folder, key);
      folder.setAside(key, "it was late");
      run(folder, key);
      folder.finish(key, SmallMesh.failed(1), Keep.DEFAULT);

      Path trial = folder.trial(key);
      assertThat(trial.resolve("attempt-1/logs/app1.log")).hasContent("why it died");
      assertThat(trial.resolve("attempt-1/requests.parquet")).doesNotExist();
      assertThat(trial.resolve("logs/app1.log")).hasContent("why it died");
      assertThat(MeshFolder.row(directory, key).orElseThrow().reason()).contains("died");
    }
  }

  /** The row of a trial with the attempts before it, as the runner ends it. */
  private static TrialRow after(List<String> reasons, TrialRow row) {
    return new TrialRow(row.trial(), reasons, row.wallSeconds(), row.round());
  }

  @Test
  void aFailedAttemptOutlivesAKillDuringTheNext() throws IOException {
    String key = SmallMesh.key(1);
    try (MeshFolder folder = MeshFolder.open(directory)) {
      run(folder, key);
      folder.setAside(key, "it was late");
      // A kill between the reason and the name of the next one's folder, and one during the third.
      FailedAttempts.write(run(folder, key), "app1 died");
    }
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      run(folder, key);
    }
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      assertThat(folder.removeUnfinished()).as("what is left of it is no rest").isFalse();
      assertThat(folder.failed(key)).containsExactly("it was late", "app1 died");
      run(folder, key);
      folder.finish(key, after(folder.failed(key), SmallMesh.done(0)), ALL);

      assertThat(MeshFolder.row(directory, key).orElseThrow().told().attempts()).isEqualTo(3);
      assertThat(folder.trial(key).resolve("attempt-1/logs/app1.log")).hasContent("why it died");
      assertThat(folder.trial(key).resolve("attempt-2/logs/app1.log")).hasContent("why it died");
      assertThat(folder.failed(key)).isEmpty();
      assertThat(directory.resolve("trials").toFile().list()).containsExactly(key);
    }
  }

  @Test
  void anAttemptThatIsNotWholeIsRemoved() throws IOException {
    String key = SmallMesh.key(1);
    try (MeshFolder folder = MeshFolder.open(directory)) {
      Files.createDirectories(directory.resolve("trials/" + key + ".attempt-1/logs"));
      assertThat(folder.removeUnfinished()).isTrue();
      assertThat(directory.resolve("trials")).isEmptyDirectory();
    }
  }

  /** The number of each attempt's folder is that of its reason, in whatever round it was made. */
  @Test
  void theLogsOfEarlierRoundsStay() throws IOException {
    String key = SmallMesh.key(2);
    try (MeshFolder folder = MeshFolder.open(directory)) {
      run(folder, key);
      folder.setAside(key, "it was late");
      run(folder, key);
      folder.finish(key, SmallMesh.failed(1), ALL);
      run(folder, key);
      folder.setAside(key, "it was late again");
      Path last = run(folder, key);
      MeshFile.writeRow(last, after(List.of("it was late again"), SmallMesh.done(1)));
      // A kill while the folder gets its name.
      Files.move(folder.trial(key).resolve("attempt-1"), last.resolve("attempt-1"));
    }
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      for (int attempt = 1; attempt <= 3; attempt++) {
        Path place = folder.trial(key).resolve("attempt-" + attempt);
        assertThat(place.resolve("logs/app1.log")).hasContent("why it died");
        assertThat(place.resolve("requests.parquet")).doesNotExist();
      }
      assertThat(folder.trial(key).resolve("attempt-2/" + MeshFile.ROW)).exists();
      assertThat(folder.trial(key).resolve("attempt-3/reason.txt")).hasContent("it was late again");
      assertThat(directory.resolve("trials").toFile().list()).containsExactly(key);
    }
  }

  @Test
  void aReasonNamesFilesOfItsAttempt() {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      String key = SmallMesh.key(1);
      Path own = folder.begin(key).resolve("logs/app1.log");
      Path shared = folder.beginServers().resolve("db1.log");
      assertThat(folder.relative(key, "it ended, see " + own + "; it ended, see " + shared))
          .isEqualTo("it ended, see logs/app1.log; it ended, see logs/db1.log");
    }
  }

  @Test
  void whatIsKeptIsWhatWasAskedFor() throws IOException {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertKept(folder, new Keep(Keep.Packets.NONE, true, Long.MAX_VALUE), true, false, true);
      assertKept(folder, new Keep(Keep.Packets.NONE, true, Long.MAX_VALUE), false, false, true);
      assertKept(folder, new Keep(Keep.Packets.FAILED, true, Long.MAX_VALUE), true, false, true);
      assertKept(folder, new Keep(Keep.Packets.FAILED, false, Long.MAX_VALUE), false, true, false);
      assertKept(folder, new Keep(Keep.Packets.ALL, false, Long.MAX_VALUE), true, true, false);
    }
  }

  private static void assertKept(
      MeshFolder folder, Keep keep, boolean done, boolean packets, boolean tables)
      throws IOException {
    String key = SmallMesh.key(1);
    run(folder, key);
    folder.finish(key, done ? SmallMesh.done(0) : SmallMesh.failed(0), keep);
    assertThat(Files.exists(folder.trial(key).resolve(Trial.CAPTURE_FILE))).isEqualTo(packets);
    assertThat(Files.exists(folder.trial(key).resolve("requests.parquet"))).isEqualTo(tables);
  }

  @Test
  void beyondTheBudgetCapturesGoBeforeTablesAndOldTrialsBeforeNewOnes() throws IOException {
    try (MeshFolder folder = MeshFolder.open(directory)) {
      for (int number = 3; number >= 1; number--) {
        run(folder, SmallMesh.key(number));
        folder.finish(SmallMesh.key(number), SmallMesh.done(number - 1), ALL);
        Files.setLastModifiedTime(
            folder.trial(SmallMesh.key(number)).resolve(MeshFile.ROW),
            FileTime.fromMillis(10_000L - number));
      }
      long whole = folder.bytes();
      assertThat(folder.enforce(Long.MAX_VALUE)).isEmpty();
      assertThat(folder.enforce(whole)).isEmpty();

      assertThat(folder.enforce(whole - 5_001))
          .containsExactly(
              "the capture of " + SmallMesh.key(3), "the capture of " + SmallMesh.key(2));
      assertThat(folder.enforce(whole - 15_001))
          .containsExactly(
              "the capture of " + SmallMesh.key(1), "the tables of " + SmallMesh.key(3));
      assertThat(folder.enforce(0)).hasSize(2);
      assertThat(folder.enforce(0)).as("rows and logs stay").isEmpty();
      for (int number = 1; number <= 3; number++) {
        assertThat(MeshFolder.row(directory, SmallMesh.key(number))).isPresent();
      }
    }
  }

  /**
   * With {@code --target ssh} further hosts capture what no other sees, into files of their own.
   */
  @Test
  void theCapturesOfAllHostsAreKeptAndDroppedAlike() throws IOException {
    String further = "capture-two.example.pcapng";
    try (MeshFolder folder = MeshFolder.open(directory)) {
      Path dropped = run(folder, SmallMesh.key(1));
      Files.writeString(dropped.resolve(further), "p".repeat(3_000));
      folder.finish(SmallMesh.key(1), SmallMesh.done(0), Keep.DEFAULT);
      assertThat(folder.trial(SmallMesh.key(1)).toFile().list())
          .containsExactlyInAnyOrder("requests.parquet", "logs", MeshFile.ROW);

      Path kept = run(folder, SmallMesh.key(2));
      Files.writeString(kept.resolve(further), "p".repeat(3_000));
      folder.finish(SmallMesh.key(2), SmallMesh.done(1), ALL);
      Path trial = folder.trial(SmallMesh.key(2));
      assertThat(trial.resolve(further)).exists();
      assertThat(folder.enforce(folder.bytes() - 7_900))
          .containsExactly("the captures of " + SmallMesh.key(2));
      assertThat(trial.toFile().list())
          .as("both captures go before any table")
          .containsExactlyInAnyOrder("requests.parquet", "logs", MeshFile.ROW);

      Files.writeString(run(folder, SmallMesh.key(3)).resolve(further), "p".repeat(3_000));
      folder.setAside(SmallMesh.key(3), "it was late");
      run(folder, SmallMesh.key(3));
      folder.finish(SmallMesh.key(3), SmallMesh.done(2), ALL);
      assertThat(folder.trial(SmallMesh.key(3)).resolve("attempt-1").toFile().list())
          .containsExactlyInAnyOrder("logs", FailedAttempts.REASON);
    }
  }

  @Test
  void oneCommandWorksInItAtATime() {
    try (MeshFolder first = MeshFolder.open(directory)) {
      assertThat(first.directory()).isEqualTo(directory.toAbsolutePath());
      assertThatThrownBy(() -> MeshFolder.open(directory))
          .hasMessageContaining("another command is running the mesh");
    }
    MeshFolder.open(directory).close();
  }

  /** A command may open the lock's file just before another one ends, and lock it just after. */
  @Test
  void aCommandThatLocksWhileAnotherEndsIsAlone() throws IOException {
    MeshFolder first = MeshFolder.open(directory);
    try (FileChannel second =
        FileChannel.open(directory.resolve(MeshFolder.LOCK), StandardOpenOption.WRITE)) {
      first.close();
      assertThat(second.tryLock()).isNotNull();

      assertThatThrownBy(() -> MeshFolder.open(directory))
          .hasMessageContaining("another command is running the mesh");
    }
  }

  @Test
  void whatIsNoMeshIsNotTouched() throws IOException {
    Files.writeString(directory.resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> MeshFolder.open(directory))
        .hasMessageContaining("holds something that is no mesh");
    assertThatThrownBy(() -> MeshFolder.open(directory.resolve("letter.txt")))
        .hasMessageContaining("is a file");
    assertThat(directory.toFile().list()).isEqualTo(List.of("letter.txt").toArray());
  }

  @Test
  void aFolderOfTrialsOfSomebodyElseIsNoMesh() throws IOException {
    Path mine = Files.createDirectories(directory.resolve("trials/v1.0"));
    Files.writeString(mine.resolve("day1.csv"), "1,2");

    assertThatThrownBy(() -> MeshFolder.open(directory))
        .hasMessageContaining("holds something that is no mesh");
    assertThat(mine.resolve("day1.csv")).hasContent("1,2");
    assertThat(directory.toFile().list()).containsExactly("trials");
  }

  @Test
  void whatSomebodyPutBesideTrialsIsLeft() throws IOException {
    String key = "0a".repeat(32);
    try (MeshFolder folder = MeshFolder.open(directory)) {
      folder.begin(key);
      folder.beginServers();
    }
    Files.writeString(directory.resolve(MeshFile.NAME), "{}");
    Files.writeString(directory.resolve("trials/notes.md"), "of mine");
    Files.createDirectories(directory.resolve("trials/" + key + ".kept"));
    try (MeshFolder folder = MeshFolder.open(directory)) {
      assertThat(folder.removeUnfinished()).isTrue();
      assertThat(folder.others(Set.of())).isEmpty();
    }
    assertThat(directory.resolve("trials").toFile().list())
        .containsExactlyInAnyOrder("notes.md", key + ".kept");
  }
}
