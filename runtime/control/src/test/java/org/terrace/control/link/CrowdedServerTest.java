package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** A server without file descriptors waits for some, and goes on when there are some again. */
@Tag("real-processes")
class CrowdedServerTest {
  private static final String HOST = "127.63.7.5";
  private static final long CPU_NANOS_MAX = 200_000_000;
  private static final int PATIENCE_MILLIS = 20_000;

  @TempDir private Path directory;

  private static void tell(ChildProcess server, String command) throws IOException {
    OutputStream commands = server.process().getOutputStream();
    commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    commands.flush();
  }

  private static void assertServed(Socket client) throws IOException {
    client.setSoTimeout(PATIENCE_MILLIS);
    assertThat(client.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void aServerThatCannotAcceptPausesSaysSoOnceAndGoesOn() throws Exception {
    Path errors = directory.resolve("errors");
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -n 200; exec \"$@\"", "-"));
    command.addAll(JavaCommand.of(List.of("-XX:TieredStopAtLevel=1"), CrowdedServer.class, HOST));
    try (ChildProcess server =
        ChildProcess.start(new ProcessBuilder(command).redirectError(errors.toFile()))) {
      int port = Integer.parseInt(server.awaitReady().getFirst());
      try (Socket early = new Socket(HOST, port)) {
        assertServed(early);
        tell(server, "measure");
        server.awaitLine(line -> line.startsWith("nanos "));
        tell(server, "fill");
        server.awaitLine("full"::equals);
        try (Socket last = new Socket(HOST, port);
            Socket waiting = new Socket(HOST, port)) {
          assertServed(last); // the system reserves a descriptor before it waits
          tell(server, "measure");
          String measured = server.awaitLine(line -> line.startsWith("nanos "));
          assertThat(Long.parseLong(measured.substring("nanos ".length())))
              .isLessThan(CPU_NANOS_MAX);
          assertThat(waiting.getInputStream().available()).isZero();
          tell(server, "free");
          assertServed(waiting);
        }
      }
      assertThat(Files.readString(errors))
          .containsOnlyOnce("cannot accept connections")
          .contains("accepts connections again");
    }
  }
}
