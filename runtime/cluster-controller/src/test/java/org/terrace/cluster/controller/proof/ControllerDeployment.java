package org.terrace.cluster.controller.proof;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.controller.ControllerMachine;
import org.terrace.cluster.controller.CuttingRelay;
import org.terrace.testing.Await;

/**
 * Two controllers, of which one leads, and clients in this process, each of which reaches both by
 * ways that can be cut.
 */
final class ControllerDeployment implements ProofDeployment {
  private static final String OPTIONS = "/shop?connectMillis=30000";

  private final Supplier<String> urls;
  private final Path folder;
  private final Map<Integer, ControllerMachine> machines = new ConcurrentHashMap<>();
  private final List<List<CuttingRelay>> relays = new ArrayList<>();
  private final AtomicReference<@Nullable ClientCut> next = new AtomicReference<>();
  private final ProofClients clients;
  private boolean begun;
  private @Nullable ControllerMachine paused;

  /** A cut to come. */
  private record ClientCut(boolean answer, AtomicBoolean done) {}

  /** None yet; each controller that is started gets another of the URLs. */
  ControllerDeployment(
      Supplier<String> urls,
      Path folder,
      RandomGenerator random,
      Consumer<ClientTransactionLine> told) {
    this.urls = urls;
    this.folder = folder;
    this.clients = new ProofClients(new Way(), told, 0, random.nextLong());
  }

  /** The way of each client to the controllers. */
  private final class Way implements ProofClients.Source {
    @Override
    public Connection connect(int client) throws SQLException {
      List<String> places =
          relays.get(client).stream().map(relay -> "127.0.0.1:" + relay.port()).toList();
      return DriverManager.getConnection(
          "jdbc:terrace:controller://" + String.join(",", places) + OPTIONS);
    }

    @Override
    public void beforeCommit(int client) {
      ClientCut cut = next.getAndSet(null);
      if (cut != null) {
        CuttingRelay relay = relays.get(client).get(leader());
        Runnable done = () -> cut.done.set(true);
        if (cut.answer) {
          relay.cutAnswer(0, done);
        } else {
          relay.cutRequest(0, done);
        }
      }
    }
  }

  @Override
  public void start() throws IOException, InterruptedException {
    machines.put(0, controller());
    require(() -> machine(0).leads(), "the first controller does not lead");
    machines.put(1, controller());
    if (!begun) {
      begun = true;
      for (int client = 0; client < ProofClients.CLIENTS; client++) {
        relays.add(
            List.of(
                CuttingRelay.to(() -> machine(0).port()),
                CuttingRelay.to(() -> machine(1).port())));
      }
      clients.start();
    }
  }

  private ControllerMachine controller() throws IOException {
    return ControllerMachine.start(
        urls.get(),
        true,
        ProcessBuilder.Redirect.appendTo(folder.resolve("controllers.log").toFile()));
  }

  /** The controller with a number; it changes when one is started in the place of another. */
  private ControllerMachine machine(int number) {
    return Objects.requireNonNull(machines.get(number));
  }

  /** The number of the one that leads; if none does, of the first. */
  private int leader() {
    ControllerMachine second = machines.get(1);
    return second != null && second.leads() ? 1 : 0;
  }

  @Override
  public void kill() {
    machines.values().forEach(ControllerMachine::kill);
  }

  @Override
  public void replaceOwner() throws IOException {
    require(() -> machine(0).leads() || machine(1).leads(), "no controller leads");
    int ending = leader();
    machine(ending).kill();
    require(() -> machine(1 - ending).leads(), "the spare does not take over");
    machines.put(ending, controller());
  }

  @Override
  public void pauseOwner() throws IOException {
    require(() -> machine(0).leads() || machine(1).leads(), "no controller leads");
    paused = machine(leader());
    paused.signal("STOP");
  }

  @Override
  public void resumeOwner() throws IOException {
    if (paused != null) {
      paused.signal("CONT");
    }
  }

  private static void require(BooleanSupplier condition, String otherwise) {
    if (!Await.until(ClusterUnderFire.LONGEST, condition)) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Override
  public BooleanSupplier cutClient(boolean answer) {
    ClientCut cut = new ClientCut(answer, new AtomicBoolean());
    next.set(cut);
    return cut.done::get;
  }

  @Override
  public void endClients() throws InterruptedException {
    clients.end();
  }

  @Override
  public void close() throws IOException {
    clients.tellToEnd();
    kill();
    for (List<CuttingRelay> ways : relays) {
      for (CuttingRelay way : ways) {
        way.close();
      }
    }
  }
}
