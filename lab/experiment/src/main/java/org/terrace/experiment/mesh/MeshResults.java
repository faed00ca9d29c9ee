package org.terrace.experiment.mesh;

import java.util.Optional;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.economy.SearchAnswer;

/**
 * The trials of a mesh, and the answer to what was asked of them. Immutable.
 *
 * @param mesh the trials in the order of the specification, failed and skipped ones included
 * @param answer the answer; empty if the mesh asked for nothing
 */
public record MeshResults(Mesh mesh, Optional<SearchAnswer> answer) {}
