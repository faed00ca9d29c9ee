package org.terrace.benchmarks.invocation;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.Percentiles;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.BlockingChannel;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Middlewares;

/**
 * A process that calls one after the other: {@code EchoClient SUBJECT WARM-SECONDS CALLS}, and for
 * each server {@code PID MIDDLEWARE HOST PORT KEY}. It prints a line for each figure.
 */
public final class EchoClient {
  private static final int[] SIZES = {4, 1_024};
  private static final int WARM_BATCH = 100;
  private static final int SERVER_WORDS = 5;
  private static final int FIXED_WORDS = 3;

  /** A round trip. */
  @FunctionalInterface
  private interface Exchange {
    byte[] run(byte[] bytes) throws Exception;
  }

  private EchoClient() {}

  /** Measures and ends. */
  public static void main(String[] arguments) throws Exception {
    Subject subject = Subject.named(arguments[0]);
    List<Endpoint> servers = new ArrayList<>();
    List<ProcessHandle> processes = new ArrayList<>();
    for (int i = FIXED_WORDS; i < arguments.length; i += SERVER_WORDS) {
      processes.add(ProcessHandle.of(Long.parseLong(arguments[i])).orElseThrow());
      servers.add(
          new Endpoint(
              "server" + servers.size(),
              arguments[i + 1],
              arguments[i + 2],
              Integer.parseInt(arguments[i + 3]),
              arguments[i + 4]));
    }
    Exchange exchange = open(subject, servers);
    int warmSeconds = Integer.parseInt(arguments[1]);
    int calls = Integer.parseInt(arguments[2]);
    for (int size : SIZES) {
      warm(exchange, size, warmSeconds);
    }
    for (int size : SIZES) {
      int bytes = subject == Subject.SOCKET_ECHO ? size + SocketEcho.FRAME_BYTES : size;
      long before = cpuNanos(processes);
      long[] nanos = measure(exchange, bytes, calls);
      double cpuMicros = (cpuNanos(processes) - before) / 1e3 / calls;
      Arrays.sort(nanos);
      String name = size == 4 ? "call-4b" : "call-1k";
      print(name + "-p50", Percentiles.ofSorted(nanos, 50) / 1e3);
      print(name + "-p99", Percentiles.ofSorted(nanos, 99) / 1e3);
      print(name + "-cpu", cpuMicros);
    }
    System.exit(0);
  }

  private static void print(String metric, double value) {
    System.out.println(metric + " " + value);
  }

  private static Exchange open(Subject subject, List<Endpoint> servers) throws Exception {
    Endpoint first = servers.getFirst();
    return switch (subject) {
      case SOCKET_ECHO -> SocketEcho.connect(first.host(), first.port())::exchange;
      case GRPC -> GrpcEcho.connect(first.host(), first.port(), false)::exchange;
      case GRPC_DIRECT -> GrpcEcho.connect(first.host(), first.port(), true)::exchange;
      case TERRACE -> stub(Style.NONE, servers);
      case TERRACE_WARM_PASSIVE -> stub(Style.WARM_PASSIVE, servers);
      case JACORB, GLASSFISH, EJBD -> carried(first);
    };
  }

  private static Exchange stub(Style style, List<Endpoint> servers) {
    ServiceReference reference = new ServiceReference("echo", style, 1, 1, servers);
    return ServiceClient.open(ClientOptions.of(Naming.fixed(reference))).stub(Echo.class, "echo")
        ::echo;
  }

  private static Exchange carried(Endpoint server) throws Exception {
    CallChannel channel =
        Middlewares.byName(server.middleware()).connect(server, Duration.ofSeconds(10));
    AtomicLong sequence = new AtomicLong();
    return bytes -> {
      RequestIdentity identity = new RequestIdentity(1, sequence.incrementAndGet());
      CallRequest request =
          new CallRequest(
              "echo", "echo", identity, 1, BlockingChannel.ENDLESS.toNanos(), true, bytes);
      return channel.call(request, BlockingChannel.ENDLESS).body();
    };
  }

  private static void warm(Exchange exchange, int bytes, int seconds) throws Exception {
    TimeSource time = TimeSource.system();
    long end = time.elapsedNanos() + seconds * 1_000_000_000L;
    while (time.elapsedNanos() < end) {
      measure(exchange, bytes, WARM_BATCH);
    }
  }

  private static long[] measure(Exchange exchange, int bytes, int calls) throws Exception {
    byte[] sent = new byte[bytes];
    long[] nanos = new long[calls];
    TimeSource time = TimeSource.system();
    for (int call = 0; call < calls; call++) {
      long start = time.elapsedNanos();
      byte[] received = exchange.run(sent);
      nanos[call] = time.elapsedNanos() - start;
      if (received.length != bytes) {
        throw new IllegalStateException("a reply of " + received.length + " bytes");
      }
    }
    return nanos;
  }

  /** The processor time that this process and the servers have used. */
  private static long cpuNanos(List<ProcessHandle> servers) {
    long own =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime();
    return own
        + servers.stream()
            .mapToLong(server -> server.info().totalCpuDuration().orElseThrow().toNanos())
            .sum();
  }
}
