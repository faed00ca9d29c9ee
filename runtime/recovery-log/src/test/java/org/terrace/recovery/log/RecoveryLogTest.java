package org.terrace.recovery.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;

/** A log that is written, torn at any byte, damaged, and dropped from its old end. */
class RecoveryLogTest {
  @TempDir Path directory;

  @Test
  void whatWasAppendedIsReadAfterReopening() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory).withSizes(200, 1_000_000);
    try (RecoveryLog log = RecoveryLog.open(options, 7)) {
      append(log, 1, 40);
      assertThat(read(log, 1, 40)).isEqualTo(texts(1, 40));
      assertThat(read(log, 20, 21)).isEqualTo(texts(20, 21));
    }
    assertThat(segments()).hasSizeGreaterThan(3);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      assertThat(log.lastIndex()).isEqualTo(40);
      assertThat(log.greatest()).isEqualTo(107 + 40 - 1);
      assertThat(log.greatestDropped()).isEqualTo(7);
      append(log, 41, 45);
      assertThat(read(log, 1, 45)).isEqualTo(texts(1, 45));
    }
  }

  @Test
  void aTornEndIsCutAtEveryByte() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory);
    List<Long> ends = new ArrayList<>();
    Path file;
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      file = segments().getFirst();
      ends.add(Files.size(file));
      for (int i = 1; i <= 5; i++) {
        append(log, i, i);
        ends.add(Files.size(file));
      }
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = Math.toIntExact(ends.getFirst()); length <= whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      int end = length;
      long kept = ends.stream().filter(one -> one <= end).count() - 1;
      try (RecoveryLog log = RecoveryLog.open(options, 0)) {
        assertThat(log.lastIndex()).as("cut to " + length).isEqualTo(kept);
        append(log, kept + 1, kept + 1);
        assertThat(read(log, 1, kept + 1)).isEqualTo(texts(1, kept + 1));
      }
    }
  }

  @Test
  void aFlippedBitEndsTheLogBeforeItAndNeverChangesARecord() throws IOException {
    RandomGenerator random =
        Seeds.generator(Seeds.next("aFlippedBitEndsTheLogBeforeItAndNeverChangesARecord"));
    RecoveryLogOptions options = RecoveryLogOptions.in(directory);
    long header;
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      header = Files.size(segments().getFirst());
      append(log, 1, 20);
    }
    Path file = segments().getFirst();
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < 40; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt((int) header, whole.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      try (RecoveryLog log = RecoveryLog.open(options, 0)) {
        assertThat(log.lastIndex()).as("byte " + at).isLessThan(20);
        assertThat(read(log, 1, log.lastIndex())).isEqualTo(texts(1, log.lastIndex()));
      }
    }
  }

  @Test
  void damageBeforeTheLastFileIsAnError() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory).withSizes(100, 1_000_000);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      append(log, 1, 20);
    }
    Path first = segments().getFirst();
    byte[] whole = Files.readAllBytes(first);
    Files.write(first, Arrays.copyOf(whole, whole.length - 1));

    assertThatThrownBy(() -> RecoveryLog.open(options, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(first.toString())
        .hasMessageContaining("damaged");

    Files.delete(segments().get(1));
    Files.write(first, whole);
    assertThatThrownBy(() -> RecoveryLog.open(options, 0)).hasMessageContaining("follow");
  }

  @Test
  void oldFilesAreDroppedAndSaidToBe() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory).withSizes(100, 500);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      append(log, 1, 100);
      long first = log.firstIndex();
      assertThat(first).isGreaterThan(50);
      assertThat(log.greatestDropped()).isEqualTo(position(first - 1));
      assertThat(read(log, first, 100)).isEqualTo(texts(first, 100));
      assertThatThrownBy(() -> read(log, first - 1, 100)).isInstanceOf(IOException.class);
    }
  }

  /** A reader that begins at the first record sees that it was destroyed. */
  @Test
  void aReadCostsWhatItReadsHoweverLongTheFile() throws IOException {
    try (RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(directory), 0)) {
      append(log, 1, 500);
      destroyFirstRecord();
      for (long from : new long[] {64, 65, 96, 97, 128, 129, 499, 500}) {
        assertThat(read(log, from, 500)).as("from %d", from).isEqualTo(texts(from, 500));
        assertThat(read(log, from, from)).isEqualTo(texts(from, from));
      }
      assertThatThrownBy(() -> read(log, 1, 2)).hasMessageContaining("cannot be read any more");
    }
  }

  @Test
  void aReadMayBeginAnywhereAfterReopening() throws IOException {
    try (RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(directory), 0)) {
      append(log, 1, 100);
    }
    try (RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(directory), 0)) {
      append(log, 101, 200);
      for (long from = 1; from <= 200; from++) {
        assertThat(read(log, from, 200)).as("from %d", from).isEqualTo(texts(from, 200));
      }
    }
  }

  @Test
  void oneProcessAtATimeHasIt() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      assertThat(log.lastIndex()).isZero();
      assertThatThrownBy(() -> RecoveryLog.open(options, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use");
      assertThat(RecoveryLog.isInUse(directory)).isTrue();
    }
    assertThat(RecoveryLog.isInUse(directory)).isFalse();
    RecoveryLog.open(options, 0).close();
    assertThat(RecoveryLog.isInUse(directory.resolve("none"))).isFalse();
  }

  @Test
  void afterAFailureNothingIsAcknowledged() throws IOException {
    RecoveryLogOptions options = RecoveryLogOptions.in(directory).withSizes(1, 1_000_000);
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      append(log, 1, 1);
      // The next file cannot be made where a directory of its name is.
      Files.createDirectories(directory.resolve("new").resolve("in the way"));
      CompletableFuture<Long> failing = log.append(2, new byte[1]);
      assertThatThrownBy(failing::join).hasCauseInstanceOf(IOException.class);
      Files.delete(directory.resolve("new").resolve("in the way"));
      Files.delete(directory.resolve("new"));
      assertThatThrownBy(log.append(3, new byte[1])::join).hasCauseInstanceOf(IOException.class);
      assertThat(log.lastIndex()).isEqualTo(1);
    }
    try (RecoveryLog log = RecoveryLog.open(options, 0)) {
      assertThat(log.lastIndex()).isEqualTo(1);
      append(log, 2, 2);
    }
  }

  private void destroyFirstRecord() throws IOException {
    Path file = segments().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    int payloads = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text(1));
    bytes[payloads] ^= 1;
    Files.write(file, bytes);
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private static long position(long index) {
    return index + 106;
  }

  private static void append(RecoveryLog log, long from, long to) {
    List<CompletableFuture<Long>> done = new ArrayList<>();
    for (long index = from; index <= to; index++) {
      CompletableFuture<Long> appended =
          log.append(position(index), text(index).getBytes(StandardCharsets.UTF_8));
      done.add(appended);
      if (index % 3 == 0) {
        appended.join();
      }
    }
    for (int i = 0; i < done.size(); i++) {
      assertThat(done.get(i).join()).isEqualTo(from + i);
    }
  }

  private static List<String> read(RecoveryLog log, long from, long to) throws IOException {
    List<String> texts = new ArrayList<>();
    log.read(
        from,
        to,
        entry -> {
          assertThat(entry.position()).isEqualTo(position(entry.index()));
          texts.add(new String(entry.payload(), StandardCharsets.UTF_8));
        });
    return texts;
  }

  private static List<String> texts(long from, long to) {
    List<String> texts = new ArrayList<>();
    for (long index = from; index <= to; index++) {
      texts.add(text(index));
    }
    return texts;
  }

  private static String text(long index) {
    return "record " + index;
  }
}
