/**
 * The project as the rules see it: modules, project files, what classes use, and small houses in
 * which something is broken on purpose.
 */
package org.terrace.distribution.rules.house;
