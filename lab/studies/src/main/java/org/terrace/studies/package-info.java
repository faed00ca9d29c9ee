/**
 * Papers re-run: a study starts real services, repeats a paper's measurements at the size the
 * machine allows or as published, and judges each of its claims.
 */
package org.terrace.studies;
