/**
 * The design of a study: its claims, its parameters, its driver, and what the driver works with.
 */
package org.terrace.studies.design;
