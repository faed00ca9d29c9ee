package org.terrace.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.testing.Seeds;

@Timeout(30)
class InterruptibleInputTest {
  @Test
  void everythingIsReadToTheSourcesEnd() throws IOException {
    byte[] bytes = new byte[300_000];
    Seeds.generator(Seeds.next("interruptible input")).nextBytes(bytes);

    try (InputStream input = new InterruptibleInput(new ByteArrayInputStream(bytes))) {
      assertThat(input.readAllBytes()).isEqualTo(bytes);
      assertThat(input.read()).isEqualTo(-1);
    }
  }

  @Test
  void anInterruptEndsASourceThatStaysOpenAfterWhatItHasSent() throws IOException {
    try (var source = new PipedOutputStream();
        var pipe = new PipedInputStream(source);
        var input = new InterruptibleInput(pipe)) {
      source.write("packets".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      source.flush();
      input.interrupt();

      assertThat(input.readAllBytes()).asString().isEqualTo("packets");
    }
  }

  @Test
  void aFailureOfTheSourceIsAFailureOfTheStream() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };

    assertThatThrownBy(() -> new InterruptibleInput(broken).readAllBytes())
        .hasMessage("the disk is gone");
  }
}
