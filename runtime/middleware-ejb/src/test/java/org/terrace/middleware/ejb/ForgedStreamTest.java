package org.terrace.middleware.ejb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.CarriedCalls;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/** Objects that no call consists of, sent to either end of the ejbd protocol. */
@Tag("real-processes")
@Tag("untimed")
class ForgedStreamTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String HOST = "127.63.2.1";
  private static final byte[] PROTOCOL = "OEJP/4.6".getBytes(StandardCharsets.UTF_8);

  /** The first byte of a reply of the cluster that carries an exception. */
  private static final int FAILURE = 2;

  private static final int PING = 0;
  private static final int VERSION = 1;

  /** Leaves a trace where it is deserialised. */
  public static final class Trace implements Serializable {
    private static final AtomicInteger DESERIALISED = new AtomicInteger();
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      DESERIALISED.incrementAndGet();
    }
  }

  @Test
  void aServerRefusesAndCountsThemAndGoesOn() throws Exception {
    EjbMiddleware middleware = new EjbMiddleware();
    InetSocketAddress anywhere = new InetSocketAddress(HOST, 0);
    try (Listener listener = middleware.listen(anywhere, new CarriedCalls())) {
      Endpoint endpoint = listener.endpoint("server1");
      long before = EjbMiddleware.refusedClasses();

      try (Socket socket = new Socket(endpoint.host(), endpoint.port())) {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write(PING);
        socket.getOutputStream().write(forged(VERSION));
        socket.shutdownOutput();
        drain(socket.getInputStream());
      }

      assertThat(EjbMiddleware.refusedClasses()).isEqualTo(before + 1);
      assertThat(Trace.DESERIALISED).hasValue(0);
      try (CallChannel channel = middleware.connect(endpoint, PATIENCE)) {
        assertThat(channel.call(echo(), PATIENCE).status()).isEqualTo(CallReply.Status.RESULT);
      }
    }
  }

  @Test
  void aClientRefusesAndCountsThem() throws Exception {
    try (ServerSocket forger = new ServerSocket(0, 8, InetAddress.getByName(HOST))) {
      Thread.ofPlatform().daemon().start(() -> answerAll(forger));
      Endpoint endpoint = new Endpoint("server1", "ejbd", HOST, forger.getLocalPort(), "any");
      long before = EjbMiddleware.refusedClasses();

      assertThatThrownBy(() -> new EjbMiddleware().connect(endpoint, PATIENCE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no connection to server1");

      assertThat(EjbMiddleware.refusedClasses()).isGreaterThan(before);
      assertThat(Trace.DESERIALISED).hasValue(0);
    }
  }

  private static void answerAll(ServerSocket forger) {
    while (!forger.isClosed()) {
      try (Socket socket = forger.accept()) {
        assertThat(socket.getInputStream().read()).isEqualTo(PING);
        socket.getOutputStream().write(forged(FAILURE));
        drain(socket.getInputStream());
      } catch (IOException e) {
        assertThat(e).as("the end of a connection or of the test").isNotNull();
      }
    }
  }

  /** The protocol's beginning, one byte that is expected, and an object that is not. */
  private static byte[] forged(int expected) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(PROTOCOL);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeByte(expected);
      out.writeObject(new Trace());
    }
    return bytes.toByteArray();
  }

  private static void drain(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  private static CallRequest echo() {
    return new CallRequest(
        "carried",
        CarriedCalls.ECHO,
        new RequestIdentity(7, 1),
        1,
        PATIENCE.toNanos(),
        true,
        new byte[] {1});
  }
}
