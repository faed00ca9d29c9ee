package org.terrace.report.plan;

import java.nio.file.Path;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.economy.Plan;

/**
 * A mesh with all that was computed of it. Immutable.
 *
 * @param mesh the trials
 * @param map what each configuration achieves, and what holds it back
 * @param plan what it earns
 * @param priceSource where the prices are from, for people
 * @param directory the directory of the mesh
 */
public record PlannedMesh(
    Mesh mesh, BottleneckMap map, Plan plan, String priceSource, Path directory) {}
