package org.terrace.control.naming;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ControlSecret;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.core.TimeSource;

/**
 * The naming service as its clients see it: asks all naming processes at once and takes the newest
 * answer; is told of changes by each of them, and passes each on once. Thread-safe.
 *
 * <p>Resolving waits for answers of a majority, or for {@value #RESOLVE_MILLIS} ms. One naming
 * process that is there is enough to go on with.
 */
public final class NamingClient implements Naming {
  private static final long RESOLVE_MILLIS = 500;

  private final List<NamingLink> links = new ArrayList<>();
  private final Object lock = new Object();
  private final Map<Long, Question> questions = new HashMap<>();
  private final Map<String, Registration> newest = new HashMap<>();
  private final Map<String, Set<Consumer<ServiceReference>>> watches = new ConcurrentHashMap<>();
  private final AtomicLong asked = new AtomicLong();
  private final TimeSource time = TimeSource.system();

  /** A resolution under way, with the answers so far; guarded by the client's lock. */
  private static final class Question {
    int answers;
  }

  private NamingClient(List<InetSocketAddress> addresses, ControlSecret secret) {
    for (InetSocketAddress address : addresses) {
      links.add(new NamingLink(address, secret, this::receive, this::connectionsChanged));
    }
  }

  /**
   * A client of the naming processes at these addresses; it connects to them in the background.
   *
   * @throws IllegalArgumentException without any address
   */
  public static NamingClient open(List<InetSocketAddress> addresses) {
    return open(addresses, ControlSecret.none());
  }

  /**
   * A client of the naming processes at these addresses, who have that secret.
   *
   * @throws IllegalArgumentException without any address
   */
  public static NamingClient open(List<InetSocketAddress> addresses, ControlSecret secret) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a naming client needs the address of a naming process");
    }
    return new NamingClient(addresses, secret);
  }

  /** A client as of {@link #open(List)}, with the addresses as {@code host:port,host:port}. */
  public static NamingClient open(String addresses) {
    return open(addresses, ControlSecret.none());
  }

  /**
   * A client as of {@link #open(List, ControlSecret)}, with the addresses as {@code
   * host:port,host:port}.
   */
  public static NamingClient open(String addresses, ControlSecret secret) {
    return open(Addresses.parse("--naming", addresses), secret);
  }

  @Override
  public Optional<ServiceReference> resolve(String service) {
    return resolve(service, Duration.ofMillis(RESOLVE_MILLIS)).map(Registration::reference);
  }

  private Optional<Registration> resolve(String service, Duration limit) {
    long id = asked.incrementAndGet();
    long endNanos = time.elapsedNanos() + limit.toNanos();
    Question question = new Question();
    synchronized (lock) {
      questions.put(id, question);
      try {
        int sent = 0;
        while (question.answers <= links.size() / 2) {
          if (sent == 0 || question.answers == 0) {
            sent = ask(id, service);
          }
          long leftMillis = (endNanos - time.elapsedNanos()) / 1_000_000;
          if (leftMillis <= 0 || (sent > 0 && question.answers >= sent)) {
            break;
          }
          lock.wait(leftMillis);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        questions.remove(id);
      }
      return Optional.ofNullable(newest.get(service));
    }
  }

  private int ask(long id, String service) {
    int sent = 0;
    for (NamingLink link : links) {
      sent += link.send(new NamingMessage.Resolve(id, service)) ? 1 : 0;
    }
    return sent;
  }

  @Override
  public Watch watch(String service, Consumer<ServiceReference> handler) {
    Registration known;
    synchronized (lock) {
      watches.computeIfAbsent(service, absent -> ConcurrentHashMap.newKeySet()).add(handler);
      known = newest.get(service);
    }
    links.forEach(link -> link.send(new NamingMessage.Watch(service)));
    if (known != null) {
      handler.accept(known.reference());
    }
    return () -> watches.getOrDefault(service, Set.of()).remove(handler);
  }

  private void connectionsChanged() {
    for (NamingLink link : links) {
      if (link.isConnected()) {
        watches.keySet().forEach(service -> link.send(new NamingMessage.Watch(service)));
      }
    }
    synchronized (lock) {
      lock.notifyAll();
    }
  }

  private void receive(NamingMessage message) {
    if (message instanceof NamingMessage.Resolved(long id, Registration value)) {
      learn(value);
      synchronized (lock) {
        Question question = questions.get(id);
        if (question != null) {
          question.answers++;
          lock.notifyAll();
        }
      }
    } else if (message instanceof NamingMessage.Learn(Registration value)) {
      learn(value);
    }
  }

  private void learn(@Nullable Registration value) {
    if (value == null) {
      return;
    }
    synchronized (lock) {
      Registration known = newest.get(value.service());
      if (known != null && known.version() >= value.version()) {
        return;
      }
      newest.put(value.service(), value);
    }
    watches
        .getOrDefault(value.service(), Set.of())
        .forEach(handler -> handler.accept(value.reference()));
  }

  @Override
  public void close() {
    links.forEach(NamingLink::close);
  }
}
