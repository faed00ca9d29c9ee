package org.terrace.dashboard.planning;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Trial;
import org.terrace.mesh.MeshResults;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.Terms;
import org.terrace.specification.PricesFile;

/**
 * A mesh that is planned again and again under other prices: what the prices do not change is
 * computed once. Immutable and thread-safe.
 *
 * @param mesh the trials
 * @param cells the trials by configuration and load
 * @param map what holds each configuration back
 * @param answer the answer to what was asked of the mesh
 * @param directory the directory of the mesh
 */
public record MeshPlanning(
    Mesh mesh,
    List<MeshCell> cells,
    BottleneckMap map,
    Optional<SearchAnswer> answer,
    Path directory) {
  /** The seed of permutations: a plan of the same mesh is the same plan. */
  private static final long SEED = 1;

  private static final Terms PLACEHOLDER = new Terms(1_000, 0.001, 0.001);

  /** Copies the cells. */
  public MeshPlanning {
    cells = List.copyOf(cells);
  }

  /** The planning of a mesh. */
  public static MeshPlanning of(MeshResults results, Path directory) {
    Mesh mesh = results.mesh();
    return new MeshPlanning(
        mesh,
        mesh.cells(),
        BottleneckMap.of(mesh, SaturationRules.DEFAULT, SEED),
        results.answer(),
        directory);
  }

  /**
   * The plan under some prices.
   *
   * @param source where the prices are from, for people
   * @param blamed the file that messages name if a price is missing
   * @throws TerraceException if a price is missing, or no trial was done
   */
  public PlannedMesh plan(Prices prices, String source, Path blamed) {
    try {
      Plan plan = Plan.of(cells, mesh.lost(), mesh.planned(), prices);
      return new PlannedMesh(mesh, map, plan, answer.orElse(null), source, directory);
    } catch (IllegalArgumentException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, blamed + ": " + e.getMessage(), e);
    }
  }

  /** The file of prices in a mesh's own directory, or its specification where that has some. */
  public static Optional<Path> ownPrices(Path directory) {
    Path own = directory.resolve(PricesFile.NAME);
    return Files.isRegularFile(own)
        ? Optional.of(own)
        : Optional.of(directory.resolve(Trial.SPECIFICATION_FILE))
            .filter(PricesFile::isMeshWithPrices);
  }

  /**
   * Prices to begin with: 1 an hour for each type of server, and a thousandth for a request
   * answered within a second.
   */
  public Prices placeholders() {
    Map<String, Double> servers = new LinkedHashMap<>();
    mesh.configurations()
        .forEach(each -> each.nodes().keySet().forEach(type -> servers.put(type, 1.0)));
    return new Prices("units", servers, Map.of(), PLACEHOLDER, List.of(), 0);
  }
}
