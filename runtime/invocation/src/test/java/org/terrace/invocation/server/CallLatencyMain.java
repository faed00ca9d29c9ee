package org.terrace.invocation.server;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.Percentiles;
import org.terrace.core.TimeSource;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;

/**
 * Prints what a warm call through a stub costs beside a bare exchange of as many bytes over a
 * blocking socket between the same two processes: {@code CallLatencyMain [calls] [rounds]}.
 */
final class CallLatencyMain {
  private static final int REPLY_BYTES = 256;
  private static final int REQUEST_FRAME_BYTES = 68;
  private static final int REPLY_FRAME_BYTES = REPLY_BYTES + 14;

  private CallLatencyMain() {}

  /** Runs the comparison. */
  public static void main(String[] arguments) throws Exception {
    int calls = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    try (ReplicaProcess replica = ReplicaProcess.start("server1");
        ServiceClient client =
            ServiceClient.open(
                ClientOptions.of(
                    Naming.fixed(
                        new ServiceReference(
                            "lots", Style.WARM_PASSIVE, 1, 1, List.of(replica.endpoint())))))) {
      ReplicaProcess.Lots lots = client.stub(ReplicaProcess.Lots.class, "lots");
      measureStub(lots, calls);
      for (int round = 0; round < rounds; round++) {
        double echo = measureEcho(replica.echoPort(), calls);
        double stub = measureStub(lots, calls);
        double update = measureUpdate(lots, calls);
        System.out.printf(
            "echo p50 %.1f us, read p50 %.1f us (%.2f times), update p50 %.1f us%n",
            echo, stub, stub / echo, update);
      }
    }
  }

  private static double measureStub(ReplicaProcess.Lots lots, int calls) {
    long[] nanos = new long[calls];
    for (int i = 0; i < calls; i++) {
      long start = TimeSource.system().elapsedNanos();
      String reply = lots.getLots(REPLY_BYTES, 0, "");
      nanos[i] = TimeSource.system().elapsedNanos() - start;
      if (reply.length() != REPLY_BYTES) {
        throw new IllegalStateException("a reply of " + reply.length());
      }
    }
    return median(nanos);
  }

  private static double measureUpdate(ReplicaProcess.Lots lots, int calls) {
    long[] nanos = new long[calls];
    for (int i = 0; i < calls; i++) {
      long start = TimeSource.system().elapsedNanos();
      int reply = lots.enter(i);
      nanos[i] = TimeSource.system().elapsedNanos() - start;
      if (reply != i + 1) {
        throw new IllegalStateException("a reply of " + reply);
      }
    }
    return median(nanos);
  }

  private static double measureEcho(int port, int calls) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      DataOutputStream first = new DataOutputStream(socket.getOutputStream());
      first.writeInt(REQUEST_FRAME_BYTES);
      first.writeInt(REPLY_FRAME_BYTES);
      byte[] request = new byte[REQUEST_FRAME_BYTES];
      byte[] reply = new byte[REPLY_FRAME_BYTES];
      long[] nanos = new long[calls];
      for (int i = 0; i < calls; i++) {
        long start = TimeSource.system().elapsedNanos();
        socket.getOutputStream().write(request);
        int read = 0;
        while (read < reply.length) {
          read += socket.getInputStream().read(reply, read, reply.length - read);
        }
        nanos[i] = TimeSource.system().elapsedNanos() - start;
      }
      return median(nanos);
    }
  }

  private static double median(long[] nanos) {
    Arrays.sort(nanos);
    return Percentiles.ofSorted(nanos, 50) / 1e3;
  }
}
