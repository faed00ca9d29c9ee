package org.terrace.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageRequest;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.pages.MeshPage;
import org.terrace.dashboard.pages.PriceForm;
import org.terrace.dashboard.planning.MeshPlanning;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.experiment.Trial;
import org.terrace.mesh.MeshFile;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.economy.Prices;
import org.terrace.specification.PricesFile;

/**
 * The meshes that were looked at last, ready to be priced again: what prices do not change is kept
 * of {@value #MOST} of them. Thread-safe.
 */
final class MeshPlans {
  /** The meshes that are kept. */
  static final int MOST = 4;

  /** One of so many parts of the memory of answers, beside which those that are kept have it. */
  private static final int PART_OF_MEMORY = 4;

  private final AnswerMemory memory;
  private final TimeSource time;
  private final Map<Path, Kept> kept = new LinkedHashMap<>(MOST, 1, true);

  MeshPlans(AnswerMemory memory, TimeSource time) {
    this.memory = memory;
    this.time = time;
  }

  private record Kept(long modifiedMillis, long bytes, MeshPlanning planning) {}

  /** Prices with the file that they are from. */
  private record Priced(Prices base, Prices now, String source, Path blamed) {}

  /** Reads a mesh, so that its page is quick. */
  void readAhead(ResultPlace place) {
    try {
      planning(place);
    } catch (RuntimeException e) {
      // Whoever asks for its page is told.
      assert e != null;
    }
  }

  /** The page of a mesh. */
  PageResponse page(ResultSummary summary, PageRequest request) {
    MeshPlanning planning = planning(summary.place());
    try {
      Priced priced = prices(summary.place(), planning, request);
      PlannedMesh planned = planning.plan(priced.now(), priced.source(), priced.blamed());
      return PageResponse.html(MeshPage.page(summary, planned, priced.base()));
    } catch (TerraceException e) {
      return PageResponse.html(
          MeshPage.page(summary, planning.mesh(), String.valueOf(e.getMessage())));
    }
  }

  /** The plan under the prices that a request asks for, and the time it took to work it out. */
  PageResponse fragment(ResultSummary summary, PageRequest request) {
    MeshPlanning planning = planning(summary.place());
    long start = time.elapsedNanos();
    Priced priced = prices(summary.place(), planning, request);
    PlannedMesh planned = planning.plan(priced.now(), priced.source(), priced.blamed());
    byte[] fragment = MeshPage.plan(planned).toString().getBytes(StandardCharsets.UTF_8);
    double millis = (time.elapsedNanos() - start) / 1e6;
    return PageResponse.of(200, "text/html; charset=utf-8", fragment)
        .with("Server-Timing", String.format(Locale.ROOT, "plan;dur=%.1f", millis));
  }

  private static Priced prices(ResultPlace place, MeshPlanning planning, PageRequest request) {
    Optional<Path> own =
        ServedDirectory.file(place, PricesFile.NAME)
            .or(() ->
                ServedDirectory.file(place, Trial.SPECIFICATION_FILE)
                    .filter(PricesFile::isMeshWithPrices));
    Prices base = own.map(PricesFile::read).orElseGet(planning::placeholders);
    Prices now = PriceForm.changed(base, request);
    String source = own.map(Path::getFileName).map(Path::toString).orElse("placeholders");
    return new Priced(
        base,
        now,
        now.equals(base) ? source : source + ", changed by the sliders",
        own.orElse(place.directory().resolve(MeshFile.NAME)));
  }

  private synchronized MeshPlanning planning(ResultPlace place) {
    Path file =
        ServedDirectory.file(place, MeshFile.NAME).orElse(place.directory().resolve(MeshFile.NAME));
    try {
      long modified = Files.getLastModifiedTime(file).toMillis();
      long bytes = Files.size(file);
      Kept known = kept.get(file);
      if (known != null && known.modifiedMillis() == modified && known.bytes() == bytes) {
        return known.planning();
      }
      kept.remove(file);
      MeshPlanning planning;
      try (AnswerMemory.Held _ = memory.takeToRead(bytes)) {
        planning = MeshPlanning.of(MeshFile.readResults(file), place.directory());
      }
      keep(file, new Kept(modified, bytes, planning));
      return planning;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps a mesh, unless it is too large, in place of those that were looked at before. */
  private void keep(Path file, Kept mesh) {
    long most = memory.fileBytes(PART_OF_MEMORY);
    if (mesh.bytes() > most) {
      return;
    }
    kept.put(file, mesh);
    while (kept.size() > MOST || kept.values().stream().mapToLong(Kept::bytes).sum() > most) {
      kept.remove(kept.keySet().iterator().next());
    }
  }
}
