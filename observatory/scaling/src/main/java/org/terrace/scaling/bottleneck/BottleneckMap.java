package org.terrace.scaling.bottleneck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.repeats.Interval;
import org.terrace.scaling.repeats.OperatingPoint;
import org.terrace.scaling.repeats.OperatingPoint.Demand;
import org.terrace.scaling.repeats.RepeatedMeans;

/**
 * The throughput of each configuration of a mesh under each load, and what holds it back: the
 * surface and the map of bottlenecks. Prices do not enter. Immutable.
 *
 * @param rules the numbers that decided
 * @param cells the cells, by configuration in the order of the specification, then by load
 * @param migrations the moves of the bottleneck, with the load first, then with added servers
 * @param confirmations bottlenecks of one tier beside the configuration with one server more there
 */
public record BottleneckMap(
    SaturationRules rules,
    List<MappedCell> cells,
    List<Migration> migrations,
    List<Confirmation> confirmations) {
  /** The probability that an interval of the throughput holds the true mean. */
  public static final double CONFIDENCE = 0.95;

  /** A share of failed requests from which a configuration counts as limited. */
  private static final double ERRORS = 0.01;

  /** Copies the lists. */
  public BottleneckMap {
    cells = List.copyOf(cells);
    migrations = List.copyOf(migrations);
    confirmations = List.copyOf(confirmations);
  }

  /**
   * The map of a mesh.
   *
   * @param seed the seed of the permutations that test dependence
   */
  public static BottleneckMap of(Mesh mesh, SaturationRules rules, long seed) {
    return new Maker(mesh.cells(), rules, seed).map();
  }

  /** The mean throughput of each cell; null without cells. */
  static @Nullable RepeatedMeans means(List<MeshCell> cells) {
    List<double[]> values = cells.stream().map(MeshCell::throughputs).toList();
    // Deviations of throughput grow with the throughput, and those of a standstill are not zero.
    List<Double> scales =
        values.stream().map(each -> Math.max(1, Arrays.stream(each).average().orElse(0))).toList();
    List<Demand> demands =
        cells.stream()
            .map(cell -> {
              double mean = Arrays.stream(cell.throughputs()).average().orElse(0);
              return new Demand(cell.users(), cell.configuration().loadVariations(), mean, mean);
            })
            .toList();
    return cells.isEmpty() ? null : RepeatedMeans.of(values, scales, OperatingPoint.of(demands));
  }

  /** The cell of a configuration under a load; null where it was not measured. */
  public @Nullable MappedCell at(Configuration configuration, int users) {
    return cells.stream()
        .filter(cell -> cell.users() == users && cell.configuration().equals(configuration))
        .findFirst()
        .orElse(null);
  }

  /** The cells of a configuration, by load. */
  public List<MappedCell> of(Configuration configuration) {
    return cells.stream().filter(cell -> cell.configuration().equals(configuration)).toList();
  }

  /** The scalability law fitted to a configuration's throughput; null where it cannot be. */
  public @Nullable ScalabilityLaw law(Configuration configuration) {
    List<MappedCell> row = of(configuration);
    return ScalabilityLaw.fit(
        row.stream().map(MappedCell::users).toList(),
        row.stream().map(MappedCell::throughputPerSecond).toList());
  }

  /** Makes a map. */
  private static final class Maker {
    private final List<MeshCell> cells;
    private final SaturationRules rules;
    private final BottleneckClassifier classifier;
    private final @Nullable RepeatedMeans means;

    /** The most that a user asks for, under each way in which the load is varied. */
    private final Map<Map<String, String>, Double> perUser = new HashMap<>();

    Maker(List<MeshCell> cells, SaturationRules rules, long seed) {
      this.cells = cells;
      this.rules = rules;
      this.classifier = new BottleneckClassifier(rules, seed);
      this.means = means(cells);
      for (int i = 0; i < cells.size(); i++) {
        perUser.merge(asked(i), mean(i) / cells.get(i).users(), Math::max);
      }
    }

    /** The varied fields of the load: users who think for longer ask for less. */
    private Map<String, String> asked(int cell) {
      return cells.get(cell).configuration().loadVariations();
    }

    BottleneckMap map() {
      List<MappedCell> mapped = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        mapped.add(cell(i));
      }
      BottleneckMap bare = new BottleneckMap(rules, mapped, List.of(), List.of());
      return new BottleneckMap(rules, mapped, migrations(bare), confirmations(bare));
    }

    private double mean(int cell) {
      return Objects.requireNonNull(means).mean(cell);
    }

    private MappedCell cell(int index) {
      MeshCell cell = cells.get(index);
      Interval interval = Objects.requireNonNull(means).interval(index, CONFIDENCE);
      boolean limited =
          cell.errorShare() > ERRORS
              || flat(index - 1, index)
              || (sameRow(index, index + 1) && flat(index, index + 1));
      return new MappedCell(
          cell.configuration(),
          cell.users(),
          cell.trials().size(),
          mean(index),
          interval == null ? null : interval.low(),
          interval == null ? null : interval.high(),
          cell.errorShare(),
          limited,
          classifier
              .classify(cell.utilisation(), cell.repeatSeconds(), limited)
              .lacking(cell.lacking()));
    }

    private boolean sameRow(int first, int second) {
      return first >= 0
          && second < cells.size()
          && cells.get(first).configuration().equals(cells.get(second).configuration());
    }

    /** Whether throughput grows from one load to the next by less than the rules ask for. */
    private boolean flat(int before, int after) {
      double most = rules.plateau() * Objects.requireNonNull(perUser.get(asked(after)));
      if (!sameRow(before, after)) {
        return mean(after) / cells.get(after).users() < most;
      }
      Interval growth = Objects.requireNonNull(means).difference(after, before, CONFIDENCE);
      double highest = growth == null ? mean(after) - mean(before) : growth.high();
      return highest / (cells.get(after).users() - cells.get(before).users()) < most;
    }

    private List<Migration> migrations(BottleneckMap map) {
      List<Migration> withLoad = new ArrayList<>();
      List<Migration> withServers = new ArrayList<>();
      for (int i = 0; i < map.cells().size(); i++) {
        MappedCell cell = map.cells().get(i);
        if (sameRow(i, i + 1)) {
          addMove(cell, map.cells().get(i + 1), withLoad);
        }
        boolean last = !sameRow(i, i + 1);
        for (String tier : Configuration.TIERS) {
          MappedCell added = map.at(oneMore(cell.configuration(), tier), cell.users());
          if (last && added != null && cell.bottleneck().kind().isHardware()) {
            addMove(cell, added, withServers);
          }
        }
      }
      withLoad.addAll(withServers);
      return withLoad;
    }

    private static void addMove(MappedCell from, MappedCell to, List<Migration> moves) {
      Bottleneck before = from.bottleneck();
      Bottleneck after = to.bottleneck();
      if (before.differs(after)) {
        moves.add(
            new Migration(
                from.configuration(), from.users(), to.configuration(), to.users(), before, after));
      }
    }

    private static Configuration oneMore(Configuration configuration, String tier) {
      return configuration.withServers(tier, configuration.servers(tier) + 1);
    }

    private List<Confirmation> confirmations(BottleneckMap map) {
      List<Confirmation> confirmations = new ArrayList<>();
      for (int i = 0; i < map.cells().size(); i++) {
        MappedCell cell = map.cells().get(i);
        Bottleneck bottleneck = cell.bottleneck();
        if (bottleneck.kind().isHardware() && bottleneck.tiers().size() == 1) {
          String tier = bottleneck.tiers().getFirst();
          MappedCell added =
              Configuration.TIERS.contains(tier)
                  ? map.at(oneMore(cell.configuration(), tier), cell.users())
                  : null;
          if (added != null) {
            confirmations.add(confirmation(i, cell, tier, map.cells().indexOf(added), added));
          }
        }
      }
      return confirmations;
    }

    private Confirmation confirmation(
        int index, MappedCell cell, String tier, int addedIndex, MappedCell added) {
      double base = Math.max(cell.throughputPerSecond(), Double.MIN_NORMAL);
      Interval gain = Objects.requireNonNull(means).difference(addedIndex, index, CONFIDENCE);
      Double low = gain == null ? null : gain.low() / base;
      Double high = gain == null ? null : gain.high() / base;
      return new Confirmation(
          cell.configuration(),
          cell.users(),
          tier,
          added.configuration(),
          added.throughputPerSecond() / base - 1,
          low,
          high,
          Confirmation.judge(cell.bottleneck().kind(), low, high));
    }
  }
}
