package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.ChildProcess;

/** A controller in a process of its own, which can be killed and started again. Thread-safe. */
public final class ControllerMachine implements AutoCloseable {
  private final String url;
  private final int port;
  private final boolean spare;
  private final ProcessBuilder.Redirect messages;
  private final int kilobytesOfFile;
  private @Nullable Process process;
  private AtomicBoolean leading = new AtomicBoolean();
  private CountDownLatch ready = new CountDownLatch(1);
  private CountDownLatch waits = new CountDownLatch(1);

  private ControllerMachine(
      String url, int port, boolean spare, ProcessBuilder.Redirect messages, int kilobytesOfFile) {
    this.url = url;
    this.port = port;
    this.spare = spare;
    this.messages = messages;
    this.kilobytesOfFile = kilobytesOfFile;
  }

  /** Starts a controller of a cluster; a spare waits for its turn. */
  public static ControllerMachine start(String url, boolean spare) throws IOException {
    return start(url, spare, ProcessBuilder.Redirect.INHERIT);
  }

  /** The same, with its messages elsewhere than on this process's standard error. */
  public static ControllerMachine start(String url, boolean spare, ProcessBuilder.Redirect messages)
      throws IOException {
    return start(url, spare, messages, 0);
  }

  /**
   * Starts a controller to which the system refuses larger files, as if its disk were full.
   *
   * @param kilobytesOfFile the largest file; 0: any
   */
  static ControllerMachine start(String url, boolean spare, int kilobytesOfFile)
      throws IOException {
    return start(url, spare, ProcessBuilder.Redirect.INHERIT, kilobytesOfFile);
  }

  private static ControllerMachine start(
      String url, boolean spare, ProcessBuilder.Redirect messages, int kilobytesOfFile)
      throws IOException {
    ControllerMachine machine =
        new ControllerMachine(url, freePort(), spare, messages, kilobytesOfFile);
    machine.start();
    return machine;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The port at which it serves when it leads. */
  public int port() {
    return port;
  }

  /** Starts it, or starts it again. */
  synchronized void start() throws IOException {
    List<String> command = new ArrayList<>();
    if (kilobytesOfFile > 0) {
      command.addAll(List.of("bash", "-c", "ulimit -f \"$0\"; exec \"$@\"", "" + kilobytesOfFile));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ControllerProcess.class.getName());
    command.addAll(List.of("--database-url", url, "--database-user", "shop"));
    command.addAll(List.of("--database", "shop", "--port", "" + port));
    command.addAll(List.of("--spare", spare ? "yes" : "no"));
    Process started = new ProcessBuilder(command).redirectError(messages).start();
    CountDownLatch serves = new CountDownLatch(1);
    CountDownLatch spares = new CountDownLatch(1);
    AtomicBoolean leads = new AtomicBoolean();
    Thread.startVirtualThread(() -> read(started, serves, spares, leads));
    leading = leads;
    process = started;
    ready = serves;
    waits = spares;
  }

  private static void read(
      Process process, CountDownLatch serves, CountDownLatch spares, AtomicBoolean leads) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        if (line.equals("ready")) {
          leads.set(true);
          serves.countDown();
        }
        if (line.equals("spare")) {
          leads.set(false);
          spares.countDown();
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      // It was killed.
    }
  }

  boolean awaitReady(long seconds) throws InterruptedException {
    CountDownLatch serves;
    synchronized (this) {
      serves = ready;
    }
    return serves.await(seconds, TimeUnit.SECONDS);
  }

  /** Waits until it has seen that another leads. */
  boolean awaitSpare(long seconds) throws InterruptedException {
    CountDownLatch spares;
    synchronized (this) {
      spares = waits;
    }
    return spares.await(seconds, TimeUnit.SECONDS);
  }

  /** Waits until it ends by itself, and gives its exit code. */
  int awaitEnd(long seconds) throws InterruptedException {
    Process running;
    synchronized (this) {
      running = Objects.requireNonNull(process);
    }
    assertThat(running.waitFor(seconds, TimeUnit.SECONDS)).isTrue();
    return running.exitValue();
  }

  /** Starts another in its place to which the system refuses no file. */
  ControllerMachine successor() throws IOException {
    ControllerMachine machine = new ControllerMachine(url, port, spare, messages, 0);
    machine.start();
    return machine;
  }

  synchronized boolean serves() {
    return ready.getCount() == 0;
  }

  /** Whether it leads: it has said that it serves, and nothing since. */
  public synchronized boolean leads() {
    return process != null && process.isAlive() && leading.get();
  }

  /** Sends it a signal by name, such as {@code STOP}. */
  public synchronized void signal(String signal) throws IOException {
    if (process != null) {
      ChildProcess.signal(signal, process.pid());
    }
  }

  /** Ends it as a power cut does. */
  public synchronized void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      running.onExit().join();
    }
    ready = new CountDownLatch(1);
  }

  @Override
  public void close() {
    kill();
  }
}
