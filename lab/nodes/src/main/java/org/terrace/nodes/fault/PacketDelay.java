package org.terrace.nodes.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Uninterrupted;
import org.terrace.nodes.Endpoints.Endpoint;

/**
 * A queue of the kernel, set up by {@code tc}, in which all that a server sends waits for a while
 * before it goes on; packets of other addresses pass beside it. A small process in a session of its
 * own makes it, and removes it when its input ends, which is when the fault ends or this process is
 * gone, even by SIGKILL. The connection of {@code ssh} by which this process was reached, if it
 * was, is left alone. Confined to one thread.
 *
 * <p>Source: tc-netem(8), tc-htb(8), tc-u32(8).
 */
public final class PacketDelay implements Hold {
  private static final String IN_FORCE = "in force";

  /** The marks by which keepers find what is theirs: this process has to outlive them. */
  private static final String KEEPERS = "TERRACE_KEEPERS";

  private static final String LOOPBACK = "lo";
  private static final long ANSWER_SECONDS = 10;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_MICRO = 1e3;

  private final String server;
  private final String address;
  private final List<String> devices;
  private final String port;
  private final String queue;
  private final Duration longest;
  private @Nullable Process owner;
  private @Nullable BufferedReader said;

  /**
   * @param address the address whose packets wait
   * @param queue the queue in which they do, as {@code tc} takes it
   * @param longest the time in which a packet has left it
   * @param shell the connection of ssh by which this process was reached, as its environment has
   *     it; empty if it was not
   */
  PacketDelay(Endpoint endpoint, String address, String queue, Duration longest, String shell) {
    this.server = endpoint.server();
    this.address = address;
    this.devices = devices(endpoint);
    this.port = PacketRules.portOf(shell).orElse("");
    this.queue = queue;
    this.longest = longest;
  }

  /**
   * The delay of what a server sends, which has not begun.
   *
   * @param by the time that it waits
   * @param jitter the most by which that time is shorter or longer, by chance, at most {@code by}
   * @throws TerraceException if no device of this network has the address
   */
  public static PacketDelay of(Endpoint endpoint, Duration by, Duration jitter) {
    return of(endpoint, endpoint.address(), by, jitter);
  }

  private static PacketDelay of(Endpoint endpoint, String address, Duration by, Duration jitter) {
    String queue =
        "netem limit 100000 delay %dus%s"
            .formatted(micros(by), jitter.isZero() ? "" : " " + micros(jitter) + "us");
    return new PacketDelay(
        endpoint, address, queue, by.plus(jitter), PacketRules.shellOfThisProcess());
  }

  private static long micros(Duration duration) {
    return Math.round(duration.toNanos() / NANOS_PER_MICRO);
  }

  /**
   * Sets up such a queue for an address that nobody has and removes it at once, which shows that
   * this machine permits it.
   *
   * @throws TerraceException if it does not, with the reason and what to do
   */
  public static void tryOut(Endpoint endpoint) {
    PacketDelay delay =
        of(endpoint, PacketRules.NOBODY.address(), Duration.ofMillis(1), Duration.ZERO);
    delay.begin();
    var _ = delay.end();
  }

  /** The devices by which packets of a server leave: also to others of its own machine. */
  private static List<String> devices(Endpoint endpoint) {
    if (endpoint.address().startsWith("127.")) {
      return List.of(LOOPBACK);
    }
    try {
      NetworkInterface device =
          NetworkInterface.getByInetAddress(InetAddress.ofLiteral(endpoint.address()));
      if (device != null) {
        return List.of(device.getName(), LOOPBACK);
      }
    } catch (IOException e) {
      throw refusal(endpoint.server(), e.toString());
    }
    throw refusal(
        endpoint.server(), "no network device of this host has its address " + endpoint.address());
  }

  @Override
  public void begin() {
    List<String> command =
        new ArrayList<>(List.of("setsid", "sh", "-c", script(), "terrace-delay"));
    command.add(String.join(" ", devices));
    command.addAll(List.of(address, port, queue));
    command.add(Double.toString(longest.toMillis() / MILLIS_PER_SECOND));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove(KEEPERS);
    try {
      Process started = builder.start();
      BufferedReader output = started.inputReader(StandardCharsets.UTF_8);
      owner = started;
      said = output;
      String first = answer(output);
      if (!IN_FORCE.equals(first)) {
        var _ = close();
        throw refusal(server, first == null ? "tc does not answer" : first);
      }
    } catch (IOException e) {
      throw refusal(server, e.toString());
    }
  }

  private static String script() {
    try (InputStream stream = PacketDelay.class.getResourceAsStream("packet-delay.sh")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line that the process prints; null at the end, or when it takes too long. */
  private static @Nullable String answer(BufferedReader output) {
    CompletableFuture<@Nullable String> line = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            line.complete(output.readLine());
          } catch (IOException e) {
            line.complete(e.toString());
          }
        });
    try {
      return line.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException | TimeoutException e) {
      return null;
    }
  }

  private static TerraceException refusal(String server, String why) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "delay: packets of %s cannot be delayed here (%s); it takes tc (sudo apt-get install iproute2), a kernel with sch_netem (sudo modprobe sch_netem), a device without a queue of somebody's own, and root or a network namespace of the run's own"
            .formatted(server, why.strip()));
  }

  @Override
  public Map<String, String> end() {
    Process process = owner;
    BufferedReader output = said;
    if (process == null || output == null) {
      return Map.of();
    }
    long delayed = 0;
    try {
      process.getOutputStream().close();
      for (String line = answer(output); line != null; line = answer(output)) {
        delayed += packets(line);
      }
    } catch (IOException e) {
      delayed = 0; // it has ended by itself, which close() tells
    }
    if (!close()) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "delay: what held back packets of %s is not known to be gone, so that it may falsify all that follows; remove it with: %s"
              .formatted(
                  server,
                  devices.stream()
                      .map("sudo tc qdisc del dev %s root"::formatted)
                      .collect(Collectors.joining("; "))));
    }
    return Map.of("delayedPackets", Long.toString(delayed));
  }

  /** The packets of a line such as {@code Sent 120 bytes 2 pkt (dropped 0, ...)}; 0 in others. */
  private static long packets(String line) {
    String[] words = line.strip().split(" ", -1);
    return words.length > 4 && words[0].equals("Sent") && words[4].equals("pkt")
        ? Long.parseLong(words[3])
        : 0;
  }

  /**
   * Ends the input of the process; whether it has ended and found, by asking the kernel, that its
   * queues are gone. It is kept until it has: one that was killed has healed nothing.
   */
  private boolean close() {
    Process process = owner;
    if (process == null) {
      return true;
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      assert e != null; // then it has ended
    }
    long within = ANSWER_SECONDS + longest.toSeconds();
    boolean hasHealed =
        Uninterrupted.await(() -> process.waitFor(within, TimeUnit.SECONDS))
            && process.exitValue() == 0;
    if (hasHealed) {
      owner = null;
      said = null;
    }
    return hasHealed;
  }
}
