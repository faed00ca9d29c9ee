package org.terrace.control.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.terrace.control.ServiceReference;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.TimeSource;
import org.terrace.testing.Await;

/** The references of a service, as a client sees them follow each other. */
public final class ReferenceWatch implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private final NamingClient naming;
  private final BlockingQueue<ServiceReference> notices = new LinkedBlockingQueue<>();
  private ServiceReference newest;

  /** Watches a service at the naming service. */
  public ReferenceWatch(String addresses, String service) {
    naming = NamingClient.open(addresses);
    naming.watch(service, notices::add);
  }

  /** The next reference. */
  public ServiceReference next() throws InterruptedException {
    ServiceReference next = notices.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).as("a newer reference than " + newest).isNotNull();
    newest = next;
    return next;
  }

  /** The first reference from now on with that many replicas. */
  public ServiceReference awaitDegree(int degree) throws InterruptedException {
    while (next().endpoints().size() != degree) {
      assertThat(newest.endpoints()).hasSizeLessThanOrEqualTo(degree + 1);
    }
    return newest;
  }

  /** The backup becomes the primary of the next epoch, and there are two replicas again. */
  public void awaitSuccession(ServiceReference before) throws InterruptedException {
    long startNanos = TimeSource.system().elapsedNanos();
    while (next().epoch() == before.epoch()) {
      assertThat(newest.endpoints().getFirst()).isEqualTo(before.endpoints().getFirst());
    }
    ServiceReference after = newest;
    report("told of the new primary", startNanos);
    assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
    assertThat(after.endpoints()).first().isEqualTo(before.endpoints().get(1));
    assertThat(Await.until(LIMIT, () -> isPrimary(after))).isTrue();
    ServiceReference restored = after.endpoints().size() == 2 ? after : awaitDegree(2);
    report("redundancy restored", startNanos);
    assertThat(restored.epoch()).isEqualTo(after.epoch());
    assertThat(restored.endpoints()).doesNotContain(before.endpoints().getFirst());
  }

  /** The newest reference seen. */
  public ServiceReference newest() {
    return newest;
  }

  /** The client with which the service is looked up. */
  public NamingClient naming() {
    return naming;
  }

  @Override
  public void close() {
    naming.close();
  }

  private static boolean isPrimary(ServiceReference reference) {
    try {
      return Processes.ask(reference.endpoints().getFirst()).role().equals("primary");
    } catch (IOException e) {
      return false;
    }
  }

  private static void report(String what, long sinceNanos) {
    System.out.printf(
        "%s after %.1f ms%n", what, (TimeSource.system().elapsedNanos() - sinceNanos) / 1e6);
  }
}
