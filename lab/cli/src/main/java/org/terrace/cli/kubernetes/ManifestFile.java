package org.terrace.cli.kubernetes;

/**
 * A file with one object of Kubernetes. Immutable.
 *
 * @param name its name, in whose order the objects are applied
 * @param text its YAML
 */
public record ManifestFile(String name, String text) {}
