package org.terrace.cluster.controller.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** One process that owns the cluster and has the clients in it. */
final class OwnerDeployment implements ProofDeployment {
  private static final long NUMBERS_AN_OWNER = 1_000_000_000L;

  private final Supplier<String> urls;
  private final Path folder;
  private final RandomGenerator random;
  private final Consumer<ClientTransactionLine> told;
  private int owners;
  private @Nullable Owner owner;

  /** An owner and the reader of what it tells. */
  private record Owner(ChildProcess process, CountDownLatch read) {}

  /** None yet; each that is started gets another of the URLs. */
  OwnerDeployment(
      Supplier<String> urls,
      Path folder,
      RandomGenerator random,
      Consumer<ClientTransactionLine> told) {
    this.urls = urls;
    this.folder = folder;
    this.random = random;
    this.told = told;
  }

  @Override
  public void start() throws IOException {
    owners++;
    List<String> command =
        JavaCommand.small(
            List.of("-Xmx192m"),
            ProofClients.class,
            urls.get(),
            "shop",
            Long.toString(owners * NUMBERS_AN_OWNER),
            Long.toString(random.nextLong()));
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command)
                .redirectError(
                    ProcessBuilder.Redirect.appendTo(folder.resolve("owners.log").toFile())));
    process.awaitReady();
    CountDownLatch read = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> read(process, read));
    owner = new Owner(process, read);
  }

  private void read(ChildProcess process, CountDownLatch read) {
    try {
      BufferedReader output = process.output();
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        ClientTransactionLine line = ClientTransactionLine.parse(text);
        if (line != null) {
          told.accept(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      read.countDown();
    }
  }

  @Override
  public void kill() throws IOException, InterruptedException {
    Owner ending = owner;
    owner = null;
    if (ending != null) {
      // A signal by hand: what it had told is still in the pipe, which Process.destroy would close.
      ending.process.signal("KILL");
      if (!ending.read.await(ClusterUnderFire.LONGEST.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the output of a killed owner did not end");
      }
      ending.process.close();
    }
  }

  @Override
  public void replaceOwner() throws IOException, InterruptedException {
    kill();
    start();
  }

  @Override
  public void pauseOwner() throws IOException {
    signal("STOP");
  }

  @Override
  public void resumeOwner() throws IOException {
    signal("CONT");
  }

  private void signal(String signal) throws IOException {
    if (owner != null) {
      owner.process.signal(signal);
    }
  }

  @Override
  public BooleanSupplier cutClient(boolean answer) {
    return () -> true;
  }

  @Override
  public void endClients() {
    // They end with their owner, wherever they are.
  }

  @Override
  public void close() {
    if (owner != null) {
      owner.process.close();
    }
  }
}
