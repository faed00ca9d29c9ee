package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.invocation.BusinessException;
import org.terrace.invocation.Execution;
import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

@Tag("real-processes")
class ServiceCallTest {
  /** A counter that refuses what is negative. */
  public interface Counter {
    @Update
    int add(int amount);

    @Read
    int value();

    @Read
    List<String> names(String prefix, int count);
  }

  /** The counter itself. */
  static final class CounterService implements Counter {
    private final AtomicInteger value = new AtomicInteger();
    private final AtomicLong firstCallNanos;

    CounterService() {
      this(0);
    }

    /** A counter of which the first addition takes its time. */
    CounterService(long firstCallNanos) {
      this.firstCallNanos = new AtomicLong(firstCallNanos);
    }

    @Override
    public int add(int amount) {
      LockSupport.parkNanos(firstCallNanos.getAndSet(0));
      if (amount < 0) {
        throw new BusinessException("negative-amount", "An amount is positive, not " + amount);
      }
      return value.addAndGet(amount);
    }

    @Override
    public int value() {
      return value.get();
    }

    @Override
    public List<String> names(String prefix, int count) {
      return java.util.stream.IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
  }

  @Test
  void callsReachTheServiceAndRepliesComeBack() {
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("server1"))) {
      server.export("counter", Counter.class, new CounterService(), Style.NONE);
      try (ServiceClient client = open(Style.NONE, server)) {
        Counter counter = client.stub(Counter.class, "counter");

        assertThat(counter.add(2)).isEqualTo(2);
        assertThat(counter.add(3)).isEqualTo(5);
        assertThat(counter.value()).isEqualTo(5);
        assertThat(counter.names("lot", 3)).containsExactly("lot0", "lot1", "lot2");
      }
    }
  }

  @Test
  void whatTheRulesRefuseIsABusinessException() {
    try (ServiceServer server = ServiceServer.open(ServerOptions.of("server1"))) {
      server.export("counter", Counter.class, new CounterService(), Style.NONE);
      try (ServiceClient client = open(Style.NONE, server)) {
        Counter counter = client.stub(Counter.class, "counter");

        assertThatThrownBy(() -> counter.add(-1))
            .isInstanceOfSatisfying(
                BusinessException.class,
                refusal -> assertThat(refusal.code()).isEqualTo("negative-amount"))
            .hasMessage("An amount is positive, not -1");
      }
    }
  }

  /** The first call takes long enough to be sent to the backup as well. */
  @Test
  void aBackupAnswersWhenThePrimaryIsGone() {
    CounterService shared = new CounterService(500_000_000);
    MemoryExecution retained = new MemoryExecution();
    try (ServiceServer backup = ServiceServer.open(sharing("server2", retained))) {
      ServiceServer primary = ServiceServer.open(sharing("server1", retained));
      primary.export("counter", Counter.class, shared, Style.WARM_PASSIVE);
      backup.export("counter", Counter.class, shared, Style.WARM_PASSIVE);
      try (ServiceClient client = open(Style.WARM_PASSIVE, primary, backup)) {
        Counter counter = client.stub(Counter.class, "counter");
        assertThat(counter.add(1)).isEqualTo(1);

        primary.close();

        assertThat(counter.add(1)).isEqualTo(2);
      }
    }
  }

  /** Replicas that share retained replies, as replicas over one database do. */
  private static ServerOptions sharing(String replica, MemoryExecution retained) {
    return ServerOptions.of(replica).withExecution((service, epoch) -> new Shared(retained));
  }

  /**
   * Retained replies that outlive the replica that closes its execution: a first call that is slow
   * is sent to the backup as well, and may arrive there when the primary has been closed.
   */
  private record Shared(MemoryExecution retained) implements Execution {
    @Override
    public CallReply execute(CallRequest request, Executable work) {
      return retained.execute(request, work);
    }

    @Override
    public CallReply read(CallRequest request, Executable work) {
      return retained.read(request, work);
    }

    @Override
    public CallReply warmUp(CallRequest request, Executable work) {
      return retained.warmUp(request, work);
    }

    @Override
    public void close() {}
  }

  private static ServiceClient open(Style style, ServiceServer... servers) {
    List<Endpoint> endpoints =
        java.util.stream.Stream.of(servers).map(ServiceServer::endpoint).toList();
    return ServiceClient.open(
        ClientOptions.of(Naming.fixed(new ServiceReference("counter", style, 1, 1, endpoints))));
  }
}
