import os

print("Hello from Python, analysis", os.environ["T_ANALYSIS_ID"])
