package org.terrace.recovery.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A disk that fails when a record is forced to it, and what is said of the record. */
class FailedWriteTest {
  private static final int LONGEST_SECONDS = 20;

  @TempDir private Path directory;

  @Test
  void aRecordThatWasTakenBackIsNotThere() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    try (RecoveryLog log =
        open(file -> opened.incrementAndGet() == 1 ? failing(file, true) : writable(file))) {
      assertThat(failure(log)).isNotInstanceOf(RecordMayRemainException.class);
    }
    assertThat(opened).hasValue(2);
    assertThat(lastIndex()).isZero();
  }

  @Test
  void aRecordThatCannotBeTakenBackMayBeThere() throws IOException {
    try (RecoveryLog log = open(file -> failing(file, false))) {
      assertThat(failure(log)).isInstanceOf(RecordMayRemainException.class);
      assertThat(failure(log)).as("the next").isNotInstanceOf(RecordMayRemainException.class);
    }
    assertThat(lastIndex()).as("what had failed").isEqualTo(1);
  }

  /** Nobody waits for ever, and the log says that it writes nothing more. */
  @ParameterizedTest
  @MethodSource("breakdowns")
  void whateverTheWriterBreaksDownWithFailsThoseWhoWait(Supplier<Throwable> breakdown)
      throws IOException {
    AtomicInteger opened = new AtomicInteger();
    try (RecoveryLog log =
        open(file -> {
          if (opened.incrementAndGet() == 1) {
            throw FailedWriteTest.<RuntimeException>sneak(breakdown.get());
          }
          return writable(file);
        })) {
      assertThat(log.failure()).isEmpty();
      assertThat(failure(log)).hasMessageContaining("planted");
      assertThat(log.failure())
          .hasValueSatisfying(told -> assertThat(told).hasMessageContaining("planted"));
      assertThat(failure(log)).as("the next").hasMessageContaining("planted");
    }
    assertThat(lastIndex()).isZero();
  }

  private static Stream<Supplier<Throwable>> breakdowns() {
    return Stream.of(
        () -> new IllegalStateException("planted"),
        () -> new OutOfMemoryError("planted"),
        () -> new InternalError("planted: a fault of the mapped memory"));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E sneak(Throwable breakdown) throws E {
    throw (E) breakdown;
  }

  private RecoveryLog open(LogWriter.FileOpener files) throws IOException {
    return RecoveryLog.open(RecoveryLogOptions.in(directory), 0, UUID.randomUUID(), files);
  }

  private long lastIndex() throws IOException {
    try (RecoveryLog log = RecoveryLog.open(RecoveryLogOptions.in(directory), 0)) {
      return log.lastIndex();
    }
  }

  private static Throwable failure(RecoveryLog log) {
    CompletableFuture<Long> appended =
        log.append(1, new byte[100]).orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS);
    assertThatThrownBy(appended::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
    return appended.exceptionNow();
  }

  private static FileChannel failing(Path file, boolean truncates) throws IOException {
    return new FailingChannel(writable(file), truncates);
  }

  private static FileChannel writable(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE);
  }
}
