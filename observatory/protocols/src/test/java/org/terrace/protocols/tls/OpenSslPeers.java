package org.terrace.protocols.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.terrace.protocols.decoder.RecordingRelay;
import org.terrace.protocols.decoder.Script;
import org.terrace.testing.Await;

/**
 * A real server of TLS and its clients, OpenSSL's own programs, of which each says what the test
 * dictates: what is said inside is known, and the server writes a key log. What they send each
 * other is recorded by a relay.
 */
final class OpenSslPeers implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String ACCEPTS = "ACCEPT 127.0.0.1:";

  private final Path directory;
  private final Path keyLog;
  private final Peer server;
  private final RecordingRelay relay;

  /** One of the programs, and what it has printed so far. */
  private static final class Peer {
    private final Process process;
    private final StringBuilder printed = new StringBuilder();

    Peer(List<String> command) throws IOException {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      Thread.ofVirtual().start(this::read);
    }

    private void read() {
      byte[] bytes = new byte[16 << 10];
      try (InputStream input = process.getInputStream()) {
        for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
          synchronized (printed) {
            printed.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
          }
        }
      } catch (IOException e) {
        // The program is gone.
      }
    }

    int printedLength() {
      synchronized (printed) {
        return printed.length();
      }
    }

    /** Waits until it prints a text behind what it had printed at a time. */
    int await(String text, int from) {
      boolean came =
          Await.until(
              LIMIT,
              () -> {
                synchronized (printed) {
                  return printed.indexOf(text, from) >= 0;
                }
              });
      synchronized (printed) {
        if (!came) {
          throw new AssertionError("expected " + text + ", but was printed:\n" + printed);
        }
        return printed.indexOf(text, from) + text.length();
      }
    }

    String lineFrom(int from) {
      synchronized (printed) {
        return printed.substring(from, printed.indexOf("\n", from));
      }
    }

    void say(String text) {
      try {
        process.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void end() {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        // It is gone.
      }
    }
  }

  /** One connection, on which client and server say what a test dictates. */
  final class Session implements AutoCloseable {
    private final Peer client;

    private Session(String... options) throws IOException {
      List<String> command =
          new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + relay.port()));
      command.addAll(Arrays.asList(options));
      client = new Peer(command);
    }

    /** The client says something, which the server gets. */
    Session client(String text) {
      int from = server.printedLength();
      client.say(text);
      server.await(lastLine(text), from);
      return this;
    }

    /** The server says something, which the client gets. */
    Session server(String text) {
      int from = client.printedLength();
      server.say(text);
      client.await(lastLine(text), from);
      return this;
    }

    /** The client is told a letter that changes the keys, which it confirms. */
    Session clientCommand(String letter) {
      int from = client.printedLength();
      client.say(letter + "\n");
      client.await("KEYUPDATE", from);
      return this;
    }

    /**
     * The server is told a letter that changes the keys.
     *
     * @param flights the number of times that one of both then speaks, which are waited for: a
     *     client that ends in between would not end cleanly
     */
    Session serverCommand(String letter, int flights) {
      int from = relay.linesSoFar().getLast();
      server.say(letter + "\n");
      if (!Await.until(LIMIT, () -> relay.linesSoFar().getLast() >= from + flights)) {
        throw new AssertionError("nothing follows " + letter);
      }
      return this;
    }

    /** Waits for something that the client prints. */
    Session clientPrints(String text) {
      client.await(text, 0);
      return this;
    }

    @Override
    public void close() {
      int from = server.printedLength();
      client.end();
      if (!Await.until(LIMIT, () -> !client.process.isAlive())) {
        client.process.destroyForcibly();
      }
      server.await("DONE", from);
    }
  }

  /**
   * Starts a server.
   *
   * @param options of the server beside its certificates
   */
  OpenSslPeers(Path directory, String... options) throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "openssl"))),
        "openssl is not installed");
    this.directory = directory;
    keyLog = Files.createTempFile(directory, "keys", ".log");
    certificate("rsa", "rsa:2048");
    certificate("ec", "ec");
    List<String> command =
        new ArrayList<>(
            List.of(
                "openssl",
                "s_server",
                "-accept",
                "127.0.0.1:0",
                "-cert",
                file("rsa.crt"),
                "-key",
                file("rsa.key"),
                "-dcert",
                file("ec.crt"),
                "-dkey",
                file("ec.key"),
                "-keylogfile",
                keyLog.toString()));
    command.addAll(Arrays.asList(options));
    server = new Peer(command);
    int port = server.await(ACCEPTS, 0);
    server.await("\n", port);
    relay = RecordingRelay.to(Integer.parseInt(server.lineFrom(port).strip()));
  }

  private static String lastLine(String text) {
    return text.strip().lines().reduce((first, last) -> last).orElseThrow();
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private void certificate(String name, String key) throws IOException, InterruptedException {
    if (Files.exists(directory.resolve(name + ".crt"))) {
      return;
    }
    List<String> command =
        new ArrayList<>(
            List.of("openssl", "req", "-x509", "-nodes", "-subj", "/CN=localhost", "-days", "2"));
    command.addAll(List.of("-newkey", key, "-keyout", file(name + ".key")));
    command.addAll(List.of("-out", file(name + ".crt")));
    if (key.equals("ec")) {
      command.addAll(List.of("-pkeyopt", "ec_paramgen_curve:P-256"));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(printed);
    }
  }

  /** A client connects. */
  Session connect(String... options) throws IOException {
    return new Session(options);
  }

  /** The port at which clients of other makes connect. */
  int port() {
    return relay.port();
  }

  /** The server gets something that a client of another make says. */
  void serverGets(String text, int from) {
    server.await(lastLine(text), from);
  }

  /** The server says something. */
  void serverSays(String text) {
    server.say(text);
  }

  /** The length of what the server printed so far. */
  int serverPrinted() {
    return server.printedLength();
  }

  /** The certificate and the key of RSA as a store of Java's, with the password {@code secret}. */
  Path keyStore() throws IOException, InterruptedException {
    Path store = directory.resolve("rsa.p12");
    Process process =
        new ProcessBuilder(
                "openssl",
                "pkcs12",
                "-export",
                "-in",
                file("rsa.crt"),
                "-inkey",
                file("rsa.key"),
                "-out",
                store.toString(),
                "-passout",
                "pass:secret")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(printed);
    }
    return store;
  }

  /** The key log of all connections so far. */
  Path keyLog() {
    return keyLog;
  }

  /** The connections so far, which must be over. */
  List<Script> conversations() throws InterruptedException {
    return relay.conversations();
  }

  @Override
  public void close() throws IOException {
    relay.close();
    server.process.destroyForcibly();
  }
}
