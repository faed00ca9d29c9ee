package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/** Connections of applications that come while a controller, and then its cluster, is closed. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class ClosedControllerTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** A place where one thread is held up until it is let go. */
  private static final class Hold {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    void pass() {
      reached.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitReached() throws InterruptedException {
      assertThat(reached.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    void release() {
      over.countDown();
    }
  }

  /** A listener that keeps back the connections that it has accepted. */
  private static final class HoldingListener extends ServerSocket {
    private final Hold hold;

    HoldingListener(Hold hold) throws IOException {
      this.hold = hold;
    }

    @Override
    public Socket accept() throws IOException {
      Socket accepted = super.accept();
      hold.pass();
      return accepted;
    }
  }

  /** A data source whose next connection, once the controller is there, is kept back. */
  private static DataSource holding(
      DataSource real, AtomicBoolean started, Hold hold, CompletableFuture<Connection> given) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, method, arguments) -> {
              boolean holds = started.get();
              if (holds) {
                hold.pass();
              }
              Connection connection = (Connection) method.invoke(real, arguments);
              if (holds) {
                given.complete(connection);
              }
              return connection;
            });
  }

  private static ControllerServer start(ServerSocket listener, DataSource source)
      throws IOException {
    InetSocketAddress place = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return ControllerServer.start(listener, place, source, "shop", "", ControllerServer.SILENCE);
  }

  private static boolean hasPool(RealReplicas replicas) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("terrace-pool-" + replicas.place(0)));
  }

  @Test
  void connectionThatIsAcceptedMeanwhileIsEndedUnheard() throws Exception {
    Hold hold = new Hold();
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1)) {
      ClusterDataSource source = replicas.open("");
      ControllerServer controller = start(new HoldingListener(hold), source);
      try (Socket late = new Socket(InetAddress.getLoopbackAddress(), controller.port())) {
        hold.awaitReached();
        controller.close();
        source.close();
        hold.release();

        late.setSoTimeout(Math.toIntExact(SOON.toMillis()));
        assertThat(late.getInputStream().readAllBytes()).isEmpty();
      }
      assertThat(Await.until(SOON, () -> !hasPool(replicas))).isTrue();
    }
  }

  @Test
  void sessionThatBeginsMeanwhileOpensNothing() throws Exception {
    Hold hold = new Hold();
    AtomicBoolean started = new AtomicBoolean();
    CompletableFuture<Connection> given = new CompletableFuture<>();
    try (RealReplicas replicas = RealReplicas.start("postgresql", 1)) {
      ClusterDataSource source = replicas.open("");
      ControllerServer controller =
          start(new ServerSocket(), holding(source, started, hold, given));
      started.set(true);
      int port = controller.port();
      CompletableFuture<Boolean> letIn = new CompletableFuture<>();
      Thread.startVirtualThread(() -> {
        try (RawClient client = RawClient.connect(port)) {
          letIn.complete(client.isLetIn());
        } catch (IOException e) {
          letIn.complete(false);
        }
      });
      hold.awaitReached();
      controller.close();
      source.close();
      assertThat(Await.until(SOON, () -> !hasPool(replicas))).isTrue();
      hold.release();

      assertThat(letIn).succeedsWithin(SOON).isEqualTo(false);
      assertThat(given).succeedsWithin(SOON);
      assertThat(Await.until(SOON, () -> isClosed(given.join()))).isTrue();
      assertThat(hasPool(replicas)).isFalse();
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
