package org.terrace.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.terrace.capture.CaptureOptions;
import org.terrace.capture.PacketCapture;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/**
 * Two hosts on a cable, each a network of its own with a capture of its own: one asks, the other
 * answers.
 */
final class TwoHostsProgram {
  static final String CLIENT = "10.77.0.1";
  static final String SERVER = "10.77.0.2";
  static final int PORT = 8_080;
  static final int REQUESTS = 400;
  private static final String LINK = "cable";

  private TwoHostsProgram() {}

  /**
   * Captures into {@code client.pcapng} and {@code server.pcapng}.
   *
   * @param arguments the part, {@code client} or {@code server}, and the folder
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    if (arguments[0].equals("server")) {
      serve(folder);
    } else {
      ask(folder);
    }
    System.exit(0);
  }

  private static void ask(Path folder) throws Exception {
    List<String> words = new ArrayList<>(List.of("unshare", "--net", "--"));
    words.addAll(JavaCommand.small(List.of(), TwoHostsProgram.class, "server", folder.toString()));
    Process server =
        Keeper.ofThisProcess()
            .start(new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT));
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        var told = server.outputWriter(StandardCharsets.UTF_8)) {
      String process = expect(said, "process");
      run("ip", "link", "add", LINK, "type", "veth", "peer", "name", LINK, "netns", process);
      up(CLIENT);
      told.write("linked\n");
      told.flush();
      expect(said, "ready");
      try (var _ = PacketCapture.open(options(folder.resolve("client.pcapng")));
          Socket socket = connected()) {
        InputStream input = socket.getInputStream();
        OutputStream output = socket.getOutputStream();
        for (int i = 0; i < REQUESTS; i++) {
          String get = "GET /page/" + i + " HTTP/1.1\r\nHost: server\r\n\r\n";
          output.write(get.getBytes(StandardCharsets.US_ASCII));
          input.readNBytes(ANSWER.length);
        }
      }
    }
    server.waitFor();
  }

  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII);

  private static Socket connected() throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(SERVER, PORT), 20_000);
    return socket;
  }

  private static void serve(Path folder) throws Exception {
    System.out.println("process " + ProcessHandle.current().pid());
    expect(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), "linked");
    up(SERVER);
    try (ServerSocket listening = new ServerSocket(PORT, 1, InetAddress.getByName(SERVER));
        var _ = PacketCapture.open(options(folder.resolve("server.pcapng")))) {
      System.out.println("ready");
      try (Socket socket = listening.accept()) {
        socket.setTcpNoDelay(true);
        BufferedReader input =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
          if (line.isEmpty()) {
            socket.getOutputStream().write(ANSWER);
          }
        }
      }
    }
  }

  private static CaptureOptions options(Path file) {
    return CaptureOptions.to(file).withInterface(LINK).withRingBytes(4 << 20);
  }

  private static void up(String address) throws Exception {
    run("ip", "address", "add", address + "/24", "dev", LINK);
    run("ip", "link", "set", LINK, "up");
  }

  /** The rest of the next line, which begins with a word. */
  private static String expect(BufferedReader from, String word) throws IOException {
    String line = Objects.requireNonNull(from.readLine(), "no " + word);
    if (!line.startsWith(word)) {
      throw new IOException("expected " + word + ", got " + line);
    }
    return line.substring(word.length()).strip();
  }

  private static void run(String... words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + output);
    }
  }
}
