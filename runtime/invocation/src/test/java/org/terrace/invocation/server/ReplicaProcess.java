package org.terrace.invocation.server;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.terrace.control.Style;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.middleware.Endpoint;

/**
 * A replica in a process of its own, which can be killed and stopped: a service of reads over the
 * default transport, and beside it a bare socket that echoes, for comparison.
 */
final class ReplicaProcess implements AutoCloseable {
  /** The service: a reply of so many bytes, which one replica gives after so many milliseconds. */
  public interface Lots {
    @Read
    String getLots(int replyBytes, int millis, String slowReplica);

    @Update
    int enter(int lot);

    @Update
    int enterSlowly(int lot, int millis, String slowReplica);
  }

  private final ChildProcess process;
  private final Endpoint endpoint;
  private final int echoPort;

  private ReplicaProcess(ChildProcess process, Endpoint endpoint, int echoPort) {
    this.process = process;
    this.endpoint = endpoint;
    this.echoPort = echoPort;
  }

  /** Starts a replica and waits until it listens. */
  static ReplicaProcess start(String replica) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx128m", "-XX:TieredStopAtLevel=4"));
    String modules = System.getProperty("jdk.module.path");
    String path = System.getProperty("java.class.path");
    String test =
        ReplicaProcess.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String main = ServiceServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    command.add("-cp");
    command.add(main + ":" + test + ":" + path + (modules == null ? "" : ":" + modules));
    command.addAll(List.of(ReplicaProcess.class.getName(), replica));
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    List<String> ports = process.awaitReady();
    Endpoint endpoint =
        new Endpoint(replica, "terrace", "127.0.0.1", Integer.parseInt(ports.getFirst()), "");
    return new ReplicaProcess(process, endpoint, Integer.parseInt(ports.get(1)));
  }

  Endpoint endpoint() {
    return endpoint;
  }

  int echoPort() {
    return echoPort;
  }

  /** Kills the process at once, without a goodbye. */
  void kill() {
    process.kill();
  }

  /** Stops or continues the process. */
  void signal(String signal) throws IOException {
    process.signal(signal);
  }

  @Override
  public void close() {
    process.close();
  }

  /** The process. */
  public static void main(String[] arguments) throws Exception {
    ServiceServer server = ServiceServer.open(ServerOptions.of(arguments[0]).withUnsharedReplies());
    server.export(
        "lots",
        Lots.class,
        new Lots() {
          @Override
          public String getLots(int replyBytes, int millis, String slowReplica) {
            if (slowReplica.equals(arguments[0])) {
              pause(Duration.ofMillis(millis));
            }
            return "x".repeat(replyBytes);
          }

          @Override
          public int enter(int lot) {
            return lot + 1;
          }

          @Override
          public int enterSlowly(int lot, int millis, String slowReplica) {
            if (slowReplica.equals(arguments[0])) {
              pause(Duration.ofMillis(millis));
            }
            return lot + 1;
          }
        },
        Style.WARM_PASSIVE);
    try (ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println("ready " + server.endpoint().port() + " " + echo.getLocalPort());
      while (true) {
        Socket socket = echo.accept();
        Thread.ofPlatform().daemon().start(() -> echo(socket));
      }
    }
  }

  private static void pause(Duration time) {
    try {
      new java.util.concurrent.CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads a request of a length and answers with a reply of a length, as plainly as can be. */
  private static void echo(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] request = new byte[1 << 16];
      DataInputStream first = new DataInputStream(in);
      int requestBytes = first.readInt();
      byte[] reply = new byte[first.readInt()];
      while (true) {
        int read = 0;
        while (read < requestBytes) {
          int more = in.read(request, read, requestBytes - read);
          if (more < 0) {
            return;
          }
          read += more;
        }
        out.write(reply);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
