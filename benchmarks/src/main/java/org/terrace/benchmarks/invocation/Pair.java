package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.process.ChildProcess;
import org.terrace.middleware.Endpoint;

/**
 * A primary and a backup of {@link Lots}, and the naming that knows them. Confined to one thread
 * but for the naming.
 */
final class Pair implements Naming {
  private final Style style;
  private final Path log;
  private final List<String> database;
  private final List<Consumer<ServiceReference>> watchers = new CopyOnWriteArrayList<>();
  private volatile ServiceReference reference;
  private Replica primary;
  private Replica backup;
  private int started;

  private record Replica(ChildProcess process, Endpoint endpoint) {}

  /**
   * Starts both.
   *
   * @param database URL and user of the database that effects and replies are stored in, or nothing
   */
  Pair(Style style, Path log, List<String> database) throws IOException {
    this.style = style;
    this.log = log;
    this.database = List.copyOf(database);
    primary = start();
    backup = start();
    reference = reference(1);
  }

  private Replica start() throws IOException {
    String name = "server" + started++;
    List<String> arguments = new ArrayList<>(List.of(name, style.name()));
    arguments.addAll(database);
    ChildProcess process = Jvm.start(LotsServer.class, log, arguments.toArray(String[]::new));
    List<String> words = process.awaitReady();
    int port = Integer.parseInt(words.get(1));
    return new Replica(process, new Endpoint(name, "terrace", words.getFirst(), port, ""));
  }

  private ServiceReference reference(long version) {
    return new ServiceReference(
        "lots", style, version, version, List.of(primary.endpoint(), backup.endpoint()));
  }

  ChildProcess primary() {
    return primary.process();
  }

  /** The backup becomes the primary, and there is a new backup. */
  void replacePrimary() throws IOException {
    primary.process().close();
    primary = backup;
    backup = start();
    reference = reference(reference.version() + 1);
    watchers.forEach(watcher -> watcher.accept(reference));
  }

  @Override
  public Optional<ServiceReference> resolve(String service) {
    return Optional.of(reference);
  }

  @Override
  public Watch watch(String service, Consumer<ServiceReference> handler) {
    watchers.add(handler);
    return () -> watchers.remove(handler);
  }

  @Override
  public void close() {
    primary.process().close();
    backup.process().close();
  }
}
