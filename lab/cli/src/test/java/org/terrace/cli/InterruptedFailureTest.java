package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine;

/** Failures beside an interrupt, which may reach a child process before the command itself. */
class InterruptedFailureTest {
  private static TerraceException ofAChild() {
    return new TerraceException(ErrorCode.MACHINE_LACKS, "a child ended with exit status 130");
  }

  /** A latch that opens as soon as somebody waits for it. */
  private static final class Late extends CountDownLatch {
    Late() {
      super(1);
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
      if (timeout > 0) {
        countDown();
      }
      return super.await(timeout, unit);
    }
  }

  @Test
  void aFailureJustBeforeTheInterruptIsTheInterrupts() throws InterruptedException {
    assertThat(Terrace.isInterrupted(ofAChild(), new Late())).isTrue();
    assertThat(Terrace.isInterrupted(new IllegalStateException(), new Late())).isTrue();
  }

  @Test
  void aFailureWithoutAnInterruptIsItsOwn() throws InterruptedException {
    assertThat(Terrace.isInterrupted(ofAChild(), new CountDownLatch(1))).isFalse();
  }

  @Test
  void badInputIsToldWithoutWaiting() throws InterruptedException {
    TerraceException input = new TerraceException(ErrorCode.BAD_INPUT, "there is no such file");

    assertThat(Terrace.isInterrupted(input, new Late())).isFalse();
  }

  /** As the guide says of code 3, and no trace of where it was noticed. */
  @Test
  void whatFailsForAFullDiskIsSaidInALine() throws Exception {
    StringWriter messages = new StringWriter();
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(messages));
    Exception full = new FileSystemException("out/facts.json", null, "No space left on device");

    int code =
        line.getExecutionExceptionHandler()
            .handleExecutionException(
                new UncheckedIOException((IOException) full), line, line.parseArgs());

    assertThat(code).isEqualTo(ErrorCode.MACHINE_LACKS.exitCode());
    assertThat(messages.toString().strip())
        .isEqualTo("terrace: out/facts.json: No space left on device");
  }
}
